import { WorktreeConflicts } from "./Errors.ts"

/**
 * A rebase or a merge that met conflicts. The way on is the same for both: once the branch is rebased by hand onto the
 * commit in question, the service's rebase has nothing left to do and its merge is a fast-forward. A merge by hand would
 * not do, for the next rebase drops it and meets the same conflicts.
 */
export const conflictsWith = (
  taskId: string,
  operation: "rebase" | "merge",
  files: ReadonlyArray<string>,
  onto: string
): WorktreeConflicts =>
  new WorktreeConflicts({
    taskId,
    operation,
    files,
    onto,
    remedy: `In the worktree run git rebase ${onto}, resolve the files, go on with git rebase --continue to its end, then try again.`
  })
