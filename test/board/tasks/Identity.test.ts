import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  ask,
  assertIdentityConflict,
  createTask,
  etagOf,
  getTask,
  move,
  moveBody
} from "../../support/Board.ts"
import { seedTask } from "../../support/Seed.ts"
import { World, world } from "../../support/World.ts"

const item = (number: number) => ({ provider: "github", repository: "acme/board", number })
const pr = (number: number) => ({ pr: { repository: "acme/board", number } })

/** What the board says about shared identities, and in how many the header counts them. */
const diagnostics = Effect.gen(function* () {
  const { request } = yield* World
  const { body, headers } = yield* request("GET", "/api/tasks")
  const count = headers.get("x-veritas-task-identity-conflicts")
  return { count: count === null ? undefined : Number(count), meta: body.meta?.taskIdentityDiagnostics }
})

const isClean = Effect.map(diagnostics, (found) =>
  assert.deepStrictEqual(found, { count: undefined, meta: undefined })
)

/** Every write that a task in conflict refuses, with what it is called. */
const writesOn = (task: { id: string; revision: number; status: string; position: number }) => {
  const at = `/api/tasks/${task.id}`
  return [
    ["update", "PATCH", at, { title: "Mine" }],
    ["move", "POST", `${at}/move`, moveBody(task, "done", 0)],
    ["demote", "POST", `${at}/demote`],
    ["promote", "POST", `${at}/promote`],
    ["reorder", "POST", "/api/tasks/reorder", { taskIds: [task.id] }],
    ["comment", "POST", `${at}/comments`, { text: "Mine" }],
    ["time", "POST", `${at}/time/start`],
    ["time", "POST", `${at}/time/stop`],
    ["time", "POST", `${at}/time/entry`, { durationMs: 1 }],
    ["progress", "PUT", `${at}/progress`, { content: "Mine" }],
    ["progress", "POST", `${at}/progress/append`, { text: "Mine" }],
    ["depend", "POST", `${at}/dependencies`, { dependsOn: "free" }]
  ] as const
}

describe("an identity that a task holds", () => {
  it.scopedLive("can't be claimed by a create: not the id, not an external item, not a pull request", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* createTask({ id: "mine", externalWorkItems: [item(1)], git: pr(2) })
      for (const [claim, kind, id] of [
        [{ id: "mine" }, "task-id", "mine"],
        [{ externalWorkItems: [item(3), item(1)] }, "external-identity", "github:acme/board#1"],
        [{ git: pr(2) }, "external-identity", "git-pr:acme/board#2"]
      ] as const) {
        const refused = yield* request("POST", "/api/tasks", { body: { title: "Mine", ...claim } })
        assertIdentityConflict(refused, { operation: "create", taskId: refused.body.details.taskId })
        assert.deepStrictEqual(refused.body.details.duplicateIds, [id])
        const [conflict, ...others] = refused.body.details.conflicts
        assert.deepStrictEqual(others, [])
        assert.deepInclude(conflict, { kind, id })
        assert.strictEqual(conflict.sources[0].location, "active")
        assert.match(conflict.sources[0].path, /^tasks\/active\/\d+\/mine$/)
      }
      assert.strictEqual((yield* ask("GET", "/api/tasks")).tasks.length, 1)
      yield* isClean
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("can't be claimed by a patch either, and the holder may go on naming its own", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const holder = yield* createTask({ externalWorkItems: [item(1)] })
      const other = yield* createTask({ externalWorkItems: [item(2)] })
      const refused = yield* request("PATCH", `/api/tasks/${other.id}`, {
        body: { externalWorkItems: [item(2), item(1)] }
      })
      assertIdentityConflict(refused, { operation: "update", taskId: other.id })
      assert.deepStrictEqual(yield* getTask(other.id), other)
      yield* ask("PATCH", `/api/tasks/${holder.id}`, { body: { ...holder, title: "Echoed" } })
      // The same item twice in one task is one claim.
      yield* ask("PATCH", `/api/tasks/${holder.id}`, { body: { externalWorkItems: [item(1), item(1)] } })
      yield* isClean
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is free when the holder is archived, lets go or is deleted", () =>
    Effect.gen(function* () {
      const claim = { body: { title: "Mine", externalWorkItems: [item(1)] } }
      const first = yield* ask("POST", "/api/tasks", claim)
      yield* ask("PATCH", `/api/tasks/${first.id}`, { body: { externalWorkItems: [] } })
      const second = yield* ask("POST", "/api/tasks", claim)
      yield* ask("DELETE", `/api/tasks/${second.id}`, { as: "admin" })
      const third = yield* ask("POST", "/api/tasks", claim)
      yield* ask("POST", `/api/tasks/${third.id}/archive`)
      yield* ask("POST", "/api/tasks", claim)
      yield* isClean
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("keeps an archived task that claimed it before from coming back", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const first = yield* createTask({ externalWorkItems: [item(1)] })
      yield* ask("POST", `/api/tasks/${first.id}/archive`)
      const second = yield* createTask({ externalWorkItems: [item(1)] })
      const refused = yield* request("POST", `/api/tasks/${first.id}/restore`)
      assertIdentityConflict(refused, { operation: "restore", taskId: first.id })
      assert.match(refused.body.details.conflicts[0].sources[0].path, new RegExp(`/${second.id}$`))
      yield* ask("POST", `/api/tasks/${second.id}/archive`)
      yield* ask("POST", `/api/tasks/${first.id}/restore`)
      yield* isClean
    }).pipe(Effect.provide(world()))
  )
})

describe("tasks that share an id", () => {
  it.scopedLive("are reported with the board and refuse every write, archive and delete included", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* createTask({ id: "free" })
      yield* seedTask("twin")
      yield* seedTask("twin", { status: "backlog" })
      yield* seedTask("twin", {}, { archived: true })
      const conflict = {
        kind: "task-id",
        id: "twin",
        sources: [
          { location: "active", path: "tasks/active/2/twin" },
          { location: "backlog", path: "tasks/backlog/3/twin" },
          { location: "archive", path: "tasks/archive/4/twin" }
        ]
      }
      assert.deepStrictEqual(yield* diagnostics, {
        count: 1,
        meta: { conflictCount: 1, duplicateIds: ["twin"], conflicts: [conflict] }
      })
      const twin = yield* getTask("twin")
      const writes = [
        ...writesOn(twin),
        ["archive", "POST", "/api/tasks/twin/archive"],
        ["restore", "POST", "/api/tasks/twin/restore"],
        ["delete", "DELETE", "/api/tasks/twin"]
      ] as const
      for (const [operation, method, path, body] of writes) {
        const headers = { "if-match": etagOf(twin) }
        const refused = yield* request(method, path, { as: "admin", body, headers })
        assertIdentityConflict(refused, { operation, taskId: "twin" })
        assert.deepStrictEqual(refused.body.details.duplicateIds, ["twin"], path)
        assert.deepStrictEqual(refused.body.details.conflicts, [conflict], path)
      }
      assert.deepStrictEqual(yield* getTask("twin"), twin)
      for (const path of ["bulk-update", "bulk-archive-by-ids"]) {
        const body = { taskIds: ["twin", "free"], updates: { priority: "low" } }
        const { failed, updated } = yield* ask("POST", `/api/tasks/${path}`, { body })
        assert.deepStrictEqual(updated, ["free"], path)
        assert.deepInclude(failed[0], { id: "twin", code: "CONFLICT" }, path)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("block nobody else", () =>
    Effect.gen(function* () {
      yield* seedTask("twin")
      yield* seedTask("twin")
      const free = yield* createTask()
      const moved = yield* move(free, moveBody(free, "todo", 0))
      assert.strictEqual(moved.status, 200)
      yield* ask("POST", `/api/tasks/${free.id}/comments`, { body: { text: "Free" } })
      yield* ask("POST", `/api/tasks/${free.id}/archive`)
      yield* ask("DELETE", `/api/tasks/${free.id}`, { as: "admin" })
    }).pipe(Effect.provide(world()))
  )
})

describe("tasks that share an external identity", () => {
  it.scopedLive("are reported and refuse every write but those that repair it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* createTask({ id: "free" })
      yield* seedTask("a", { externalWorkItems: [item(1)] })
      yield* seedTask("b", { externalWorkItems: [item(1)], git: pr(2) })
      yield* seedTask("c", { git: pr(2) })
      const { count, meta } = yield* diagnostics
      assert.strictEqual(count, 2)
      assert.deepInclude(meta, {
        conflictCount: 2,
        duplicateIds: ["git-pr:acme/board#2", "github:acme/board#1"]
      })
      const task = yield* getTask("a")
      for (const [operation, method, path, body] of writesOn(task)) {
        const refused = yield* request(method, path, { body, headers: { "if-match": etagOf(task) } })
        assertIdentityConflict(refused, { operation, taskId: "a" })
        assert.deepStrictEqual(
          refused.body.details.conflicts.map(({ id, kind }: Record<string, string>) => [kind, id]),
          [["external-identity", "github:acme/board#1"]]
        )
      }
      assert.deepStrictEqual(yield* getTask("a"), task)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are repaired when all holders but one are deleted", () =>
    Effect.gen(function* () {
      for (const id of ["a", "b", "c"]) yield* seedTask(id, { externalWorkItems: [item(1)] })
      yield* ask("DELETE", "/api/tasks/a", { as: "admin" })
      assert.strictEqual((yield* diagnostics).count, 1)
      yield* ask("DELETE", "/api/tasks/b", { as: "admin" })
      yield* isClean
      yield* ask("PATCH", "/api/tasks/c", { body: { title: "Free again" } })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are repaired when all holders but one are archived", () =>
    Effect.gen(function* () {
      yield* seedTask("a", { externalWorkItems: [item(1)] })
      yield* seedTask("b", { externalWorkItems: [item(1)] })
      yield* ask("POST", "/api/tasks/a/archive")
      yield* isClean
      yield* ask("PATCH", "/api/tasks/b", { body: { title: "Free again" } })
    }).pipe(Effect.provide(world()))
  )
})
