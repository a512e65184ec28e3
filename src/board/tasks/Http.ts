import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { type Headers, precondition, type Revised, respond, respondJson } from "../../kernel/Revision.ts"
import type { Outcome } from "../../storage/Idempotency.ts"
import { TasksApi } from "./Api.ts"
import type { Move } from "./Move.ts"
import type { ListPage } from "./TaskList.ts"
import type { Moved } from "./TaskMove.ts"
import { Tasks } from "./Tasks.ts"

/** Answers with one task, its revision in the headers. */
export const respondTask = (task: Revised) => respond("task", task)

/** Answers 201 with one task, its revision in the headers. */
export const respondCreatedTask = (task: Revised) => respond("task", task, 201)

/** Answers with a list of tasks, and with what it counts in the headers. */
export const respondList = ({ conflictCount, json, total }: ListPage) =>
  HttpServerResponse.raw(json, {
    contentType: "application/json",
    contentLength: Buffer.byteLength(json),
    headers: {
      "x-total-count": String(total),
      ...(conflictCount === 0 ? {} : { "x-veritas-task-identity-conflicts": String(conflictCount) })
    }
  })

/** The precondition of a write on a task. */
export const taskPrecondition = (headers: typeof Headers.Type) => precondition("task", headers)

export const TasksHttp = HttpApiBuilder.group(HttpApi.make("muster").add(TasksApi), "tasks", (handlers) =>
  Effect.map(Tasks, (tasks) =>
    handlers
      .handle("list", ({ urlParams }) => Effect.map(tasks.list(urlParams), respondList))
      .handle("counts", () => tasks.counts)
      .handle("get", ({ path }) => Effect.map(tasks.get(path.id), respondTask))
      .handle("create", ({ payload }) =>
        asActor((by) => Effect.map(tasks.create(payload, by), respondCreatedTask))
      )
      .handle("patch", ({ headers, path, payload }) =>
        asActor((by) => Effect.map(tasks.patch(path.id, payload, taskPrecondition(headers), by), respondTask))
      )
      .handle("remove", ({ headers, path }) =>
        asActor((by) => tasks.remove(path.id, taskPrecondition(headers), by))
      )
      .handle("move", ({ headers, path, payload }) =>
        asActor((by) =>
          Effect.map(tasks.move(path.id, payload, taskPrecondition(headers), by), respondMoved(payload))
        )
      )
      .handle("reorder", ({ payload }) => asActor((by) => Effect.map(tasks.reorder(payload, by), reordered)))
      .handle("bulkUpdate", ({ payload }) => asActor((by) => tasks.bulkUpdate(payload, by)))
      .handle("bulkArchiveByIds", ({ payload }) => asActor((by) => tasks.bulkArchive(payload, by)))
      .handle("archive", ({ headers, path }) =>
        asActor((by) => Effect.map(tasks.archive(path.id, taskPrecondition(headers), by), respondTask))
      )
      .handle("restore", ({ headers, path }) =>
        asActor((by) => Effect.map(tasks.restore(path.id, taskPrecondition(headers), by), respondTask))
      )
      .handle("demote", ({ headers, path }) =>
        asActor((by) => Effect.map(tasks.demote(path.id, taskPrecondition(headers), by), respondTask))
      )
      .handle("promote", ({ headers, path }) =>
        asActor((by) => Effect.map(tasks.promote(path.id, taskPrecondition(headers), by), respondTask))
      )
  )
)

const reordered = (orderedTaskIds: ReadonlyArray<string>) => ({ success: true, orderedTaskIds })

const respondMoved =
  ({ operationId }: Move) =>
  ({ replayed, value: { orderedTaskIds, task } }: Outcome<Moved>) =>
    respondJson(JSON.stringify({ task, operationId, orderedTaskIds, replayed }), "task", task)
