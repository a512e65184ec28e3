import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const WorkspaceUnreadable = Envelope.general(Errors.WorkspaceUnreadable, {
  status: 409,
  code: "CONFLICT",
  message: ({ reason, taskId }) =>
    `The workspace of task ${taskId} can't be captured, so nothing was started: ${reason}`
})
