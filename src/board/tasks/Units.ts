/*
 * What other rooms may use of tasks inside their own units of work. A task is read with `requireTask` or `findForWrite`
 * and written with `commit`, or both in one with `edit`: these raise its revision, guard it and record what happened.
 */

export * as Claim from "./Claim.ts"
export * as ClaimRepo from "./ClaimRepo.ts"
export { claimedUntil, renewClaim } from "./ClaimUpkeep.ts"
export { columnSize } from "./ColumnRepo.ts"
export { conflictCount, conflictsOf, sharedIds } from "./IdentityRepo.ts"
export { changeStatus } from "./StatusPipeline.ts"
export {
  commit,
  edit,
  findForWrite,
  requireRevision,
  requireTask,
  requireUnfenced,
  requireWritable,
  type Write,
  type WriteRefused
} from "./TaskChange.ts"
export { linkItem, requireRoom } from "./TaskLink.ts"
export * as TaskQueue from "./TaskQueue.ts"
export {
  dependencyEdges,
  find as findTask,
  findAll as findTasks,
  findBySource as findImported,
  findRow as findTaskRow,
  insert as insertTask,
  names as taskNames,
  nodesOf as glimpsesOf,
  rename as renameTask,
  revisedOf,
  shown as shownTask,
  type TaskGlimpse,
  type TaskRow,
  timeByTask,
  titles as titlesOf
} from "./TaskRepo.ts"
export { setWorktreePath } from "./TaskWorktree.ts"
