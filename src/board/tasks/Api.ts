import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import * as Revision from "../../kernel/Revision.ts"
import { BulkResult, BulkUpdate, ReorderResult, TaskIdList } from "./Bulk.ts"
import { Move, MoveResult } from "./Move.ts"
import { Task, TaskDraft, TaskIdParam, TaskPatch } from "./Task.ts"
import { TaskCounts, TaskFilter, TaskList } from "./TaskFilter.ts"
import * as Wire from "./Wire.ts"

/** The path of everything that belongs to one task. */
export const TaskPath = Schema.Struct({ id: TaskIdParam })

/** A task that was created. */
export const CreatedTask = created(Task)

export const TasksApi = HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.get("list", "/tasks")
      .setUrlParams(TaskFilter)
      .addSuccess(TaskList)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The tasks of the board, backlog included, column by column in board order; `archived=true` lists the archive instead. Without `limit` the list is whole; `X-Total-Count` says how many match. When tasks share an identity, `meta.taskIdentityDiagnostics` and the header `X-Veritas-Task-Identity-Conflicts` report it."
      )
  )
  .add(
    HttpApiEndpoint.get("counts", "/tasks/counts")
      .addSuccess(TaskCounts)
      .annotate(Requires, "task:read")
      .annotate(OpenApi.Description, "How many tasks stand in each column, and how many are archived.")
  )
  .add(
    HttpApiEndpoint.post("create", "/tasks")
      .setPayload(TaskDraft)
      .addSuccess(CreatedTask)
      .addError(Wire.IdentityConflict)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Creates a task at the end of its column. Defaults: status `todo`, priority `medium`, type `code`. An explicit `id` or an external identity that another task holds is a 409. Gates don't run on a create."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/tasks/:id")
      .setPath(TaskPath)
      .addSuccess(Task)
      .addError(Wire.TaskNotFound)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "One task, archived ones included, with its revision in `ETag` and `X-Resource-Revision`."
      )
  )
  .add(
    HttpApiEndpoint.patch("patch", "/tasks/:id")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(TaskPatch)
      .addSuccess(Task)
      .addError(Wire.WriteRefused)
      .addError(Wire.AttemptEvidenceInvalid)
      .addError(Wire.AttemptHoldsEvidence)
      .addError(Wire.StatusRefused)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Changes the fields that the body names; `null` clears a text or an object. `reviewScores` and `git` merge field by field, `executionPolicy` and lists replace. A new `status` passes the enforcement gates on the task as it would be after the patch. An empty body changes nothing; any named field raises the revision by one. Fields that the service owns may be echoed and are ignored."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/tasks/:id")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.WriteRefused)
      .addError(Wire.TaskStateConflict)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Deletes a task for good, with its observations, its checkpoint and the dependency edges that lead to it. A task that has a worktree is a 409: remove that first. An agent archives instead, which leaves the worktree as it is."
      )
  )
  .add(
    HttpApiEndpoint.post("reorder", "/tasks/reorder")
      .setPayload(TaskIdList)
      .addSuccess(ReorderResult)
      .addError(Wire.TaskNotFound)
      .addError(Wire.TaskArchived)
      .addError(Wire.IdentityConflict)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Puts the named tasks, in this order, at the front of their columns; the others keep their order behind them. One unknown id is a 404 and nothing changes. No revision is raised."
      )
  )
  .add(
    HttpApiEndpoint.post("move", "/tasks/:id/move")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(Move)
      .addSuccess(MoveResult)
      .addError(Wire.WriteRefused)
      .addError(Wire.PreconditionMissing)
      .addError(Wire.MoveSourceChanged)
      .addError(Wire.OperationReused)
      .addError(Wire.StatusRefused)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Moves a card to a place in a column; `If-Match` or `X-Resource-Revision` is required. Repeating an `operationId` with the same input answers what the first run answered, with `replayed: true`, also after a restart; with another input it is a 409. Only the moved card's revision rises. A move to `done` passes the gates."
      )
  )
  .add(
    HttpApiEndpoint.post("bulkUpdate", "/tasks/bulk-update")
      .setPayload(BulkUpdate)
      .addSuccess(BulkResult)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Applies one patch to up to 500 tasks. Each task is changed as a whole or lands in `failed` with its code; gates run for each."
      )
  )
  .add(
    HttpApiEndpoint.post("bulkArchiveByIds", "/tasks/bulk-archive-by-ids")
      .setPayload(TaskIdList)
      .addSuccess(BulkResult)
      .annotate(Requires, "task:write")
      .annotate(OpenApi.Description, "Archives up to 500 tasks. Tasks in progress land in `failed`.")
  )
  .add(
    HttpApiEndpoint.post("archive", "/tasks/:id/archive")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .addSuccess(Task)
      .addError(Wire.WriteRefused)
      .addError(Wire.TaskStateConflict)
      .annotate(Requires, "task:write")
      .annotate(OpenApi.Description, "Takes a task off the board and keeps it. A task in progress is a 409.")
  )
  .add(
    HttpApiEndpoint.post("restore", "/tasks/:id/restore")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .addSuccess(Task)
      .addError(Wire.WriteRefused)
      .addError(Wire.TaskStateConflict)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Brings an archived task back to the end of the column that it left. An external identity that another task claims by now is a 409."
      )
  )
  .add(
    HttpApiEndpoint.post("demote", "/tasks/:id/demote")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .addSuccess(Task)
      .addError(Wire.WriteRefused)
      .addError(Wire.TaskStateConflict)
      .addError(Wire.StatusRefused)
      .annotate(Requires, "task:write")
      .annotate(OpenApi.Description, "Moves a task to the end of the backlog.")
  )
  .add(
    HttpApiEndpoint.post("promote", "/tasks/:id/promote")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .addSuccess(Task)
      .addError(Wire.WriteRefused)
      .addError(Wire.TaskStateConflict)
      .addError(Wire.StatusRefused)
      .annotate(Requires, "task:write")
      .annotate(OpenApi.Description, "Moves a task from the backlog to the end of `todo`.")
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Tasks")
