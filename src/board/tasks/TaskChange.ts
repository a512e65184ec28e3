import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import {
  conflict,
  type Precondition,
  type Revised,
  type RevisionConflict,
  violated
} from "../../kernel/Revision.ts"
import { iso, now } from "../../kernel/Time.ts"
import type { Event } from "../../storage/events/Event.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { afterWrite, type Claim } from "./Claim.ts"
import * as ClaimRepo from "./ClaimRepo.ts"
import { refusalOfFormer, renewClaim } from "./ClaimUpkeep.ts"
import { type ClaimTakenOver, IdentityConflict, TaskArchived, TaskFull, TaskNotFound } from "./Errors.ts"
import type { Changed } from "./Events.ts"
import * as Identities from "./IdentityRepo.ts"
import { identitiesOf, type StoredTask } from "./Task.ts"
import * as TaskRepo from "./TaskRepo.ts"

/** A write on one task: what it is called, who does it, and what it was based on. */
export interface Write {
  readonly operation: string
  readonly by: ActorContext
  /** The agent that it is done for, when that is not who does it. */
  readonly agent?: string
  readonly precondition: Precondition
  /** What becomes of the claims of the task, for who decides that; without it, what a write makes of them. */
  readonly claim?: Claim
}

/** Why a task can't be written at all. */
export type WriteRefused = TaskNotFound | IdentityConflict | TaskArchived | ClaimTakenOver | RevisionConflict

/** The largest document of a task, in characters of JSON. */
const documentLimit = 1_048_576

/** Removing a card is how an external identity is repaired, so these two are allowed on one that shares it. */
const repairs = new Set(["delete", "archive"])

/** A former claimer may claim the task anew, and put a column in order in which it stands. */
const unfenced = new Set(["claim", "reorder"])

/**
 * Finds a task that is about to be written, for every room that writes tasks: it exists, shares its identity with no
 * other, is not archived, and is still the revision that the write was based on.
 */
export const findForWrite = (
  id: string,
  write: Write,
  options: { readonly archived?: boolean } = {}
): Effect.Effect<TaskRepo.TaskRow, WriteRefused, Sql> =>
  Effect.flatMap(
    TaskRepo.findWithConflicts(id),
    (read): Effect.Effect<TaskRepo.TaskRow, WriteRefused, Sql> => {
      if (read === undefined) return new TaskNotFound({ taskId: id })
      const { conflicts, found } = read
      const admitted: Effect.Effect<TaskRepo.TaskRow, WriteRefused> =
        refusalOf(found, write, options.archived === true) ?? Effect.succeed(found)
      return conflicts === 0
        ? admitted
        : Effect.zipRight(refuseDuplicates(found.task, write.operation), admitted)
    }
  )

/** What stands against a write on this task as it is now, its identity apart. */
const refusalOf = (
  found: TaskRepo.TaskRow,
  write: Write,
  archivedToo: boolean
): Effect.Effect<never, TaskArchived | ClaimTakenOver | RevisionConflict> | undefined => {
  const { claim, task } = found
  if (task.archived && !archivedToo) return new TaskArchived({ taskId: task.id, operation: write.operation })
  const former = unfenced.has(write.operation) ? undefined : refusalOfFormer(task.id, claim, write.by)
  return former ?? conflictOf(found, write.precondition)
}

const conflictOf = (
  found: TaskRepo.TaskRow,
  precondition: Precondition
): Effect.Effect<never, RevisionConflict> | undefined => {
  const expected = violated(precondition, found.task)
  return expected === undefined
    ? undefined
    : Effect.flatMap(TaskRepo.shown(found), (current) => conflict("task", found.task, expected, current))
}

/** A task that is still the revision that a write on what belongs to it was based on, and no former claimer's. */
export const requireRevision = (
  id: string,
  { by, precondition }: Pick<Write, "by" | "precondition">
): Effect.Effect<void, TaskNotFound | ClaimTakenOver | RevisionConflict, Sql> =>
  Effect.flatMap(
    requireTask(id),
    (found): Effect.Effect<void, ClaimTakenOver | RevisionConflict> =>
      refusalOfFormer(id, found.claim, by) ?? conflictOf(found, precondition) ?? Effect.void
  )

/** Finds a task about which somebody reports: it is no former claimer. */
export const requireUnfenced = (
  id: string,
  by: ActorContext
): Effect.Effect<TaskRepo.TaskRow, TaskNotFound | ClaimTakenOver, Sql> =>
  Effect.flatMap(
    requireTask(id),
    (found): Effect.Effect<TaskRepo.TaskRow, ClaimTakenOver> =>
      refusalOfFormer(id, found.claim, by) ?? Effect.succeed(found)
  )

/**
 * Finds a task beside which somebody writes something down, an observation or a checkpoint: it is no former claimer, and a
 * claim of theirs is renewed.
 */
export const requireWritable = (
  id: string,
  by: ActorContext
): Effect.Effect<TaskRepo.TaskRow, TaskNotFound | ClaimTakenOver, Sql> =>
  Effect.tap(requireUnfenced(id, by), ({ claim }) => (claim === undefined ? Effect.void : renewClaim(id, by)))

/** Finds a task that another resource belongs to: observations, checkpoints, messages. */
export const requireTask = (id: string): Effect.Effect<TaskRepo.TaskRow, TaskNotFound, Sql> =>
  Effect.filterOrFail(
    TaskRepo.find(id),
    (found) => found !== undefined,
    () => new TaskNotFound({ taskId: id })
  )

const refuseDuplicates = (task: StoredTask, operation: string): Effect.Effect<void, IdentityConflict, Sql> =>
  Effect.gen(function* () {
    const all = yield* Identities.conflictsOf(task.id, identitiesOf(task))
    const conflicts = repairs.has(operation) ? all.filter((conflict) => conflict.kind === "task-id") : all
    if (conflicts.length > 0) return yield* identityConflict(operation, task.id, conflicts)
  })

/** The conflict, with the ids that are duplicated. */
export const identityConflict = (
  operation: string,
  taskId: string,
  conflicts: IdentityConflict["conflicts"]
): IdentityConflict =>
  new IdentityConflict({ operation, taskId, duplicateIds: conflicts.map(({ id }) => id), conflicts })

/** A task that was read for a write, as it is to be. */
export interface Edit {
  readonly task: StoredTask
  /** Its new place; without it, it stays where it is. */
  readonly position?: number
  /** When it was changed, in milliseconds since the epoch; without it, now. */
  readonly at?: number
}

/**
 * Writes a changed task: raises its revision by one, notes who changed it and when, and records what happened.
 */
export const commit = (
  before: TaskRepo.TaskRow,
  edit: Edit,
  write: Write,
  happened: (changed: Changed) => Event
): Effect.Effect<TaskRepo.TaskRow, TaskFull, Sql> =>
  Effect.flatMap(edit.at === undefined ? now : Effect.succeed(edit.at), (at) => {
    const task: StoredTask = {
      ...edit.task,
      revision: before.task.revision + 1,
      updatedAt: iso(at),
      updatedBy: write.by.name
    }
    const claim =
      write.claim ??
      (before.claim && afterWrite(before.claim, { before: before.task, after: task, by: write.by, at }))
    const after = TaskRepo.rowWith(before.row, edit.position ?? before.position, task, claim)
    if (after.json.length > documentLimit) {
      return Effect.fail(new TaskFull({ taskId: task.id, field: "task", limit: documentLimit }))
    }
    const event = happened({ resourceId: task.id, revision: task.revision })
    const saved = TaskRepo.save(before, after)
    return (
      claim === undefined || claim === before.claim
        ? saved
        : Effect.zipRight(saved, ClaimRepo.save(before.row, claim))
    ).pipe(Effect.zipRight(Journal.record(event, write.by)), Effect.as(after))
  })

/**
 * The whole of a simple write: find, edit, commit. The edit gets the task and the time, and gives the task as it is to
 * be; it may fail with what its room refuses.
 */
export const edit = <E, R>(
  id: string,
  write: Write,
  happened: (changed: Changed) => Event,
  change: (task: StoredTask, at: number) => Effect.Effect<StoredTask, E, R>
): Effect.Effect<Revised, E | WriteRefused | TaskFull, R | Sql> =>
  Effect.gen(function* () {
    const before = yield* findForWrite(id, write)
    const at = yield* now
    const task = yield* change(before.task, at)
    return yield* TaskRepo.revisedOf(yield* commit(before, { task, at }, write, happened))
  })
