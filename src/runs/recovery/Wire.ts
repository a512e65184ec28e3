import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const RecoveryNotPending = Envelope.general(Errors.RecoveryNotPending, {
  status: 409,
  code: "CONFLICT",
  message: ({ attemptId, recovered }) => {
    if (recovered === null) return "This task has no recovery"
    if (recovered.attemptId !== attemptId)
      return `The recovery of this task is that of attempt ${recovered.attemptId}`
    return `The recovery of attempt ${attemptId} is ${recovered.state} already`
  }
})
