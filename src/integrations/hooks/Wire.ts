import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const HookNotFound = Envelope.general(Errors.HookNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Hook ${error.hookId} does not exist`
})

export const HookUrlRefused = Envelope.general(Errors.HookUrlRefused, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})

export const HookLimitReached = Envelope.general(Errors.HookLimitReached, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The board has ${error.limit} hooks, as many as it can: delete one first`
})
