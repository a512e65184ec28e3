import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { OperationReused } from "../../kernel/OperationReused.ts"
import type { Precondition, Revised } from "../../kernel/Revision.ts"
import { now } from "../../kernel/Time.ts"
import type { Outcome } from "../../storage/Idempotency.ts"
import { type Sql, sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { BulkResult, BulkUpdate, TaskIdList } from "./Bulk.ts"
import type {
  IdentityConflict,
  MoveSourceChanged,
  PreconditionMissing,
  StatusRefused,
  TaskArchived,
  TaskFull,
  TaskStateConflict
} from "./Errors.ts"
import { TaskNotFound } from "./Errors.ts"
import { TaskDemoted, TaskPromoted } from "./Events.ts"
import * as Identities from "./IdentityRepo.ts"
import type { Move } from "./Move.ts"
import { changeStatus } from "./StatusPipeline.ts"
import { StatusRules } from "./StatusRules.ts"
import type { TaskDraft, TaskPatch } from "./Task.ts"
import { archiveTask, restoreTask, stateConflict } from "./TaskArchive.ts"
import { bulkArchive, bulkUpdate, reorder } from "./TaskBulk.ts"
import { findForWrite, type WriteRefused } from "./TaskChange.ts"
import { createTask } from "./TaskCreate.ts"
import { deleteTask } from "./TaskDelete.ts"
import type { TaskCounts, TaskFilter } from "./TaskFilter.ts"
import * as TaskList from "./TaskList.ts"
import { type Moved, moveTask } from "./TaskMove.ts"
import { type PatchRefused, patchTask } from "./TaskPatch.ts"
import { TaskRemovals } from "./TaskRemoval.ts"
import { publicJson, revisedOf, type SentRow, sentJson } from "./TaskRepo.ts"

/** The tasks of the board. Every write takes the actor, so that workers can use it as well as requests. */
export interface TasksService {
  readonly list: (filter: TaskFilter) => Effect.Effect<TaskList.ListPage>
  readonly counts: Effect.Effect<TaskCounts>
  readonly create: (draft: TaskDraft, by: ActorContext) => Effect.Effect<Revised, IdentityConflict>
  readonly get: (id: string) => Effect.Effect<Revised, TaskNotFound>
  readonly patch: (
    id: string,
    patch: TaskPatch,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, PatchRefused>
  /** The unit of work that `patch` is, for who hands it to storage by itself. */
  readonly patching: (...of: Parameters<TasksService["patch"]>) => Effect.Effect<Revised, PatchRefused, Sql>
  readonly remove: (
    id: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<void, WriteRefused | TaskFull | TaskStateConflict>
  readonly move: (
    id: string,
    move: Move,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<
    Outcome<Moved>,
    WriteRefused | StatusRefused | TaskFull | PreconditionMissing | MoveSourceChanged | OperationReused
  >
  readonly reorder: (
    ids: TaskIdList,
    by: ActorContext
  ) => Effect.Effect<ReadonlyArray<string>, TaskNotFound | IdentityConflict | TaskArchived>
  readonly bulkUpdate: (update: BulkUpdate, by: ActorContext) => Effect.Effect<BulkResult>
  readonly bulkArchive: (ids: TaskIdList, by: ActorContext) => Effect.Effect<BulkResult>
  readonly archive: (
    id: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, WriteRefused | TaskStateConflict | TaskFull>
  readonly restore: (
    id: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, WriteRefused | TaskStateConflict | TaskFull>
  /** To the backlog, from any other column. */
  readonly demote: (
    id: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, WriteRefused | TaskStateConflict | StatusRefused | TaskFull>
  /** From the backlog to `todo`. */
  readonly promote: (
    id: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, WriteRefused | TaskStateConflict | StatusRefused | TaskFull>
}

export class Tasks extends Context.Tag("muster/Tasks")<Tasks, TasksService>() {
  static readonly layer = Layer.effect(
    Tasks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const rules = yield* StatusRules
      const removals = yield* TaskRemovals

      const get = (id: string) =>
        Effect.flatMap(
          storage.select<SentRow & { readonly revision: number }>(
            sql`
              SELECT t.position, t.revision, t.claim, d.json FROM tasks t JOIN task_documents d ON d.row = t.row
              WHERE t.id = ${id} ORDER BY t.archived, t.row LIMIT 1`
          ),
          ([found]) =>
            found === undefined
              ? Effect.fail(new TaskNotFound({ taskId: id }))
              : found.claim === null
                ? Effect.succeed({
                    id,
                    revision: found.revision,
                    json: publicJson(found.json, found.position)
                  })
                : Effect.map(now, (at) => ({ id, revision: found.revision, json: sentJson(found, at) }))
        )

      const list = (filter: TaskFilter) =>
        Effect.flatMap(storage.select<SentRow>(TaskList.selectPage(filter)), (found) =>
          Effect.flatMap(
            Effect.zip(storage.select<TaskList.ListCounts>(TaskList.selectCounts(filter)), now),
            ([[counts = { total: -1, conflicts: 0 }], at]) =>
              counts.conflicts === 0
                ? Effect.succeed(TaskList.pageOf(filter, found, counts, at))
                : Effect.map(storage.read(Identities.conflicts), (conflicts) =>
                    TaskList.pageOf(filter, found, counts, at, conflicts)
                  )
          )
        )

      const shift = (from: "backlog" | "board", to: "backlog" | "todo", operation: "demote" | "promote") =>
        Effect.fn(`Tasks.${operation}`)(function* (id: string, precondition: Precondition, by: ActorContext) {
          const write = { operation, by, precondition }
          const unit = Effect.gen(function* () {
            const before = yield* findForWrite(id, write)
            const inBacklog = before.task.status === "backlog"
            if (inBacklog !== (from === "backlog")) {
              const reason = inBacklog ? "It is in the backlog already" : "It is not in the backlog"
              return yield* stateConflict(before.task, write, reason)
            }
            return yield* changeStatus(rules, before, before.task, { status: to }, write, (changed) =>
              to === "todo" ? new TaskPromoted(changed) : new TaskDemoted(changed)
            )
          })
          return yield* revisedOf(yield* storage.write(unit))
        })

      const patching: TasksService["patching"] = (id, patch, precondition, by) =>
        Effect.flatMap(patchTask(rules, id, patch, { operation: "update", by, precondition }), revisedOf)

      // What boards and agents repeat most has no span: each costs some ten microseconds, also when nobody traces.
      return Tasks.of({
        get,
        list,
        counts: storage.read(TaskList.counts),
        create: (draft, by) => Effect.flatMap(storage.write(createTask(draft, by)), revisedOf),
        patch: (id, patch, precondition, by) => storage.write(patching(id, patch, precondition, by)),
        patching,
        remove: Effect.fn("Tasks.remove")((id, precondition, by) =>
          storage.write(deleteTask(removals, id, { operation: "delete", by, precondition }))
        ),
        move: (id, move, precondition, by) =>
          storage.write(moveTask(rules, id, move, { operation: "move", by, precondition })),
        reorder: Effect.fn("Tasks.reorder")((ids, by) => storage.write(reorder(ids, by))),
        bulkUpdate: Effect.fn("Tasks.bulkUpdate")((update, by) =>
          storage.write(bulkUpdate(rules, update, by))
        ),
        bulkArchive: Effect.fn("Tasks.bulkArchive")((ids, by) => storage.write(bulkArchive(ids, by))),
        archive: Effect.fn("Tasks.archive")((id, precondition, by) =>
          Effect.flatMap(
            storage.write(archiveTask(id, { operation: "archive", by, precondition })),
            revisedOf
          )
        ),
        restore: Effect.fn("Tasks.restore")((id, precondition, by) =>
          Effect.flatMap(
            storage.write(restoreTask(id, { operation: "restore", by, precondition })),
            revisedOf
          )
        ),
        demote: shift("board", "backlog", "demote"),
        promote: shift("backlog", "todo", "promote")
      })
    })
  )
}
