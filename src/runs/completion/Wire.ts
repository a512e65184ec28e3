import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const CallbackRefused = Envelope.general(Errors.CallbackRefused, {
  status: 409,
  code: "CONFLICT",
  message: ({ attemptId, provider }) =>
    `Attempt ${attemptId} is run by the service itself (${provider}), which sees its end: it is not completed by callback`
})

export const CompletionConflict = Envelope.general(Errors.CompletionConflict, {
  status: 409,
  code: "CONFLICT",
  message: ({ attemptId, completedAt, status }) =>
    `Attempt ${attemptId} ended as ${status} at ${completedAt}: another claim does not change that`
})
