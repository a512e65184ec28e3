import picomatch from "picomatch"
import type { ExecutionPolicy } from "../../board/tasks/TaskParts.ts"
import type { SideEffect, WorkspaceEvidence } from "../documents/CompletionResult.ts"

/** How many side effects of one kind a result names. */
const limit = 200

/** Whether a policy lets a side effect be. Without a list the workspace is free; a list is exhaustive (ruling 60). */
const judge = (
  allowed: ExecutionPolicy["allowedSideEffects"]
): ((kind: SideEffect["kind"], scope: string) => SideEffect) => {
  if (allowed === undefined) return (kind, scope) => ({ kind, scope, authorized: true })
  const matches = allowed.map(({ kind, scope }) => ({
    kind,
    fits: picomatch(scope, { dot: true, nonegate: true })
  }))
  return (kind, scope) => ({
    kind,
    scope,
    authorized: matches.some((one) => one.kind === kind && one.fits(scope))
  })
}

/**
 * What a run did to its workspace, each as its policy sees it: files that it wrote, and the branch that it moved. A
 * policy that requires commits lets the branch move.
 */
export const sideEffectsOf = (
  { baselineHead, files, head }: WorkspaceEvidence,
  branch: string | null,
  { allowedSideEffects, commitPolicy }: ExecutionPolicy
): ReadonlyArray<SideEffect> => {
  const judged = judge(allowedSideEffects)
  const writes = files.map((path) => judged("filesystem-write", path))
  // Those that stand against the run are named first.
  const named = writes
    .toSorted((one, other) => Number(one.authorized) - Number(other.authorized))
    .slice(0, limit)
  if (head === baselineHead) return named
  const moved = judged("git-ref", branch ?? "HEAD")
  return [...named, commitPolicy === "required" ? { ...moved, authorized: true } : moved]
}
