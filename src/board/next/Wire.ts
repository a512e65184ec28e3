import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const TaskNotClaimable = Envelope.general(Errors.TaskNotClaimable, {
  status: 409,
  code: "CONFLICT",
  message: ({ reason, status, taskId }) =>
    reason === "not-todo"
      ? `Task ${taskId} is ${status}: only a task in todo can be claimed. Claim another one`
      : `Task ${taskId} was given to somebody else. Claim another one, or change its assignee first`
})
