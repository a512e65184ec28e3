import { Schema } from "effect"
import { aSecret } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { Role } from "../../kernel/Permission.ts"
import { everyIssue, isClean, nonBlank } from "../../kernel/Text.ts"
import { Email } from "../members/Email.ts"

/** How long a login lasts, in seconds: twelve hours. */
export const sessionSeconds = 12 * 60 * 60

/** A new password: 10 to 1,024 characters, taken as it is. */
export const NewPassword = Schema.String.pipe(
  Schema.minLength(10, { message: () => "Expected at least 10 characters" }),
  Schema.maxLength(1_024, { message: () => "Expected at most 1024 characters" }),
  Schema.filter(isClean, {
    message: () => "Expected well-formed Unicode without NUL characters",
    jsonSchema: {}
  }),
  aSecret
).annotations({ description: "10 to 1,024 characters" })

/** A secret that somebody claims to know: anything that is not absurdly long. */
const Claimed = Schema.String.pipe(
  Schema.minLength(1, { message: () => "Expected text that is not empty" }),
  Schema.maxLength(1_024, { message: () => "Expected at most 1024 characters" }),
  aSecret
)

export const Setup = Schema.Struct({
  password: NewPassword,
  setupCode: optional(Claimed).annotations({
    description:
      "What stands in the file that the greeting of the server names; not needed beside the admin key"
  }),
  displayName: optional(nonBlank(200)),
  email: optional(Email)
}).annotations({ identifier: "Setup", ...everyIssue })
export type Setup = typeof Setup.Type

export const SetupDone = Schema.Struct({
  success: Schema.Literal(true),
  recoveryKey: Schema.String.annotations({
    description: "Sets a new password when this one is lost. Shown here and never again"
  })
}).annotations({ identifier: "SetupDone" })

export const Login = Schema.Struct({ password: Claimed }).annotations({ identifier: "Login", ...everyIssue })
export type Login = typeof Login.Type

export const LoggedIn = Schema.Struct({
  token: Schema.String,
  role: Role,
  expiresIn: Schema.Int.annotations({ description: "Seconds" })
}).annotations({ identifier: "LoggedIn" })
export type LoggedIn = typeof LoggedIn.Type

export const Recovery = Schema.Struct({ recoveryKey: Claimed, newPassword: NewPassword }).annotations({
  identifier: "Recovery",
  ...everyIssue
})
export type Recovery = typeof Recovery.Type

export const PasswordChange = Schema.Struct({
  currentPassword: Claimed,
  newPassword: NewPassword
}).annotations({ identifier: "PasswordChange", ...everyIssue })
export type PasswordChange = typeof PasswordChange.Type

export const Done = Schema.Struct({ success: Schema.Literal(true) }).annotations({ identifier: "Done" })
