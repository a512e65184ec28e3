import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const WorktreeNotFound = Envelope.general(Errors.WorktreeNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Task ${error.taskId} has no worktree: POST /tasks/${error.taskId}/worktree makes one`
})

export const WorktreeExists = Envelope.general(Errors.WorktreeExists, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Task ${error.taskId} has a worktree already; it is ${error.lifecycleState}`
})

export const WorktreeRequestInvalid = Envelope.general(Errors.WorktreeRequestInvalid, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})

export const BaseUnavailable = Envelope.general(Errors.BaseUnavailable, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `The base ${error.baseBranch} could not be fetched from origin: ${error.reason}. ${error.remedy}`
})

/** What gets somebody past the blockers, where it is not in their own words. */
const wayOn = ({
  blockers,
  operation,
  overridable
}: Pick<Errors.WorktreeBlocked, "blockers" | "operation" | "overridable">): string => {
  if (operation === "removed") {
    return overridable
      ? " An administrator may force it with force=true and a reason; the work is saved first."
      : ""
  }
  const codes = new Set(blockers.map(({ code }) => code))
  if (codes.has("unfinished")) return " Then try again."
  if (codes.has("branch-mismatch")) return " Switch back to the branch in the worktree, then try again."
  return codes.has("dirty") ? " Commit or stash the changes in the worktree, then try again." : ""
}

export const WorktreeBlocked = Envelope.general(Errors.WorktreeBlocked, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `The worktree of task ${error.taskId} can't be ${error.operation} now: ${error.blockers.map(({ detail }) => detail).join("; ")}.${wayOn(error)}`
})

export const WorktreeNotAdoptable = Envelope.general(Errors.WorktreeNotAdoptable, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The worktree can't be adopted: ${error.reason}`
})

export const WorktreeConflicts = Envelope.general(Errors.WorktreeConflicts, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `The ${error.operation} meets conflicts and was taken back; nothing was changed. ${error.remedy}`
})

export const PushRejected = Envelope.general(Errors.PushRejected, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `Origin has commits on ${error.branch} that a push would lose, and it is never forced. ${error.remedy}`
})

export const WorktreeStateConflict = Envelope.general(Errors.WorktreeStateConflict, {
  status: 409,
  code: "CONFLICT",
  message: (error) => error.reason
})

export const GitRefused = Envelope.general(Errors.GitRefused, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Git could not do it (${error.command}): ${error.reason}`
})

export const OpenUnavailable = Envelope.general(Errors.OpenUnavailable, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The worktree can't be opened: ${error.reason}`
})
