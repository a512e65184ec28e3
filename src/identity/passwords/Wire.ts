import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const LoopbackOnly = Envelope.general(Errors.LoopbackOnly, {
  status: 403,
  code: "PERMISSION_DENIED",
  message: () =>
    "The owner's password counts on the machine of the board alone. From elsewhere, pair a device or use an API token"
})

export const SetupDoneBefore = Envelope.general(Errors.SetupDoneBefore, {
  status: 409,
  code: "CONFLICT",
  message: () => "The owner has a password already: log in with it, or recover it with the recovery key"
})

export const EmailTaken = Envelope.general(Errors.EmailTaken, {
  status: 409,
  code: "CONFLICT",
  message: () => "Somebody else on this board has that email: leave it out, or give another one"
})

export const SetupUnproven = Envelope.general(Errors.SetupUnproven, {
  status: 401,
  code: "UNAUTHORIZED",
  message: ({ codeFile, reason }) =>
    reason === "wrong-code"
      ? "The setup code is not the right one: each start makes another one, and it counts once"
      : `Show that this is your board: send the admin key in X-API-Key, or as setupCode what stands in ${codeFile ?? "the setup-code file of the data directory after a restart"}`
})

export const SetupRequired = Envelope.general(Errors.SetupRequired, {
  status: 409,
  code: "CONFLICT",
  message: () => "The owner has no password yet: set one with POST /api/auth/setup"
})

export const PasswordRefused = Envelope.general(Errors.PasswordRefused, {
  status: 401,
  code: "UNAUTHORIZED",
  message: (error) => `The ${error.field} is not the right one`
})
