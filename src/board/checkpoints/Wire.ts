import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const CheckpointNotFound = Envelope.general(Errors.CheckpointNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Task ${error.taskId} has no checkpoint, or it has expired`
})
