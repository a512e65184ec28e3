import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

/** How many names a message holds; the details have them all. */
const shown = 3

const named = (holders: ReadonlyArray<string>): string =>
  `${holders.slice(0, shown).join(", ")}${holders.length > shown ? ` and ${holders.length - shown} more` : ""}`

export const TaskNotClaimable = Envelope.general(Errors.TaskNotClaimable, {
  status: 409,
  code: "CONFLICT",
  message: ({ holders, reason, status, taskId }) =>
    reason === "not-todo"
      ? `Task ${taskId} is ${status}${holders.length === 0 ? "" : `, in the hands of ${named(holders)}`}: only a task in todo can be claimed. Claim another one`
      : `Task ${taskId} was given to ${named(holders)}. Claim another one, or change its assignee first`
})
