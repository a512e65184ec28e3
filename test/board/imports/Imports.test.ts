import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { IdentityConflict } from "../../../src/board/tasks/Errors.ts"
import * as Outbox from "../../../src/storage/events/Outbox.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { type As, temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const shared = sharedWorld()

const oddities = readFileSync(new URL("oddities.jsonl", import.meta.url), "utf8")
const textOf = (lines: ReadonlyArray<unknown>) => lines.map((line) => JSON.stringify(line)).join("\n")

/** Imports lines, and answers what came of it. */
const importing = (...lines: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const { client } = yield* World
    const { imports } = yield* client("admin")
    return yield* imports.importTasks({ payload: textOf(lines) })
  })

const post = (raw: string, type: string, as: As | null = "admin") =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", "/api/tasks/import", { as, raw, headers: { "content-type": type } })
  )

const task = (id: string) =>
  Effect.map(
    Effect.flatMap(World, ({ client }) => client()),
    ({ tasks }) => tasks.get({ path: { id } })
  ).pipe(Effect.flatten)

describe("an import", () => {
  it.scopedLive("brings the tasks of a real file as they are, and names what it could not bring", () =>
    Effect.gen(function* () {
      const { client } = yield* World
      const { imports, tasks } = yield* client("admin")
      const result = yield* imports.importTasks({ payload: oddities })
      assert.deepInclude(result, { imported: 6, unchanged: 0, skippedDependencies: [], duplicates: [] })
      assert.deepStrictEqual(
        result.failed.map(({ line, path }) => [line, path]),
        [
          [8, "title"],
          [9, "status"],
          [10, "priority"],
          [11, ""]
        ]
      )
      assert.deepStrictEqual(result.counts, {
        failed: 4,
        unresolved: 2,
        skippedDependencies: 0,
        duplicates: 0,
        ignoredFields: 2
      })
      const hull = yield* task("BOAT-1")
      assert.deepInclude(hull, {
        status: "done",
        priority: "medium",
        type: "code",
        revision: 1,
        createdAt: "2025-06-03T00:00:00.000Z",
        createdBy: "admin",
        sourceId: "BOAT-1",
        position: 0
      })
      assert.deepStrictEqual((yield* task("BOAT-2")).dependencies, ["BOAT-1"])
      assert.deepStrictEqual((yield* task("BOAT-2.1")).dependencies, ["BOAT-2"])
      const board = yield* tasks.list({ urlParams: {} })
      const hoist = board.tasks.find(({ sourceId }) => sourceId === "sail/2")
      assert.match(hoist?.id ?? "", /^task_/)
      assert.deepStrictEqual(hoist?.dependencies, ["bd-a3f8.1"])
      assert.deepStrictEqual(result.unresolved, [
        { taskId: "BOAT-1", reference: "task-0" },
        { taskId: hoist?.id ?? "", reference: "anchor-9" }
      ])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("changes nothing the second time, not even what has changed since", () =>
    Effect.gen(function* () {
      const { client } = yield* World
      const { imports, tasks } = yield* client("admin")
      yield* imports.importTasks({ payload: oddities })
      yield* tasks.patch({ path: { id: "BOAT-2" }, headers: {}, payload: { title: "Lower the mast" } })
      const before = yield* tasks.list({ urlParams: {} })
      const again = yield* imports.importTasks({ payload: oddities })
      assert.deepInclude(again, { imported: 0, unchanged: 6 })
      assert.strictEqual(again.counts.unresolved, 2)
      assert.deepStrictEqual(yield* tasks.list({ urlParams: {} }), before)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("remembers its lines and open dependencies across a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* importing({ id: "B-2", title: "Later", dependencies: ["b-1"] }).pipe(
        Effect.provide(worldIn(directory))
      )
      yield* Effect.gen(function* () {
        const result = yield* importing({ id: "B-2", title: "Later" }, { id: "B-1", title: "First" })
        assert.deepInclude(result, { imported: 1, unchanged: 1, unresolved: [] })
        const later = yield* task("B-2")
        assert.deepInclude({ ...later }, { dependencies: ["B-1"], revision: 2 })
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )

  it.scopedLive("adds tasks at the ends of their columns, in the order of the file", () =>
    Effect.gen(function* () {
      const { client } = yield* World
      const { tasks } = yield* client()
      yield* tasks.create({ payload: { id: "old", title: "Old" } })
      yield* importing(
        { id: "b", title: "B" },
        { id: "d", title: "D", status: "done" },
        { id: "a", title: "A" }
      )
      const board = yield* tasks.list({ urlParams: {} })
      assert.deepStrictEqual(
        board.tasks.map(({ id, position, status }) => [status, position, id]),
        [
          ["todo", 0, "old"],
          ["todo", 1, "b"],
          ["todo", 2, "a"],
          ["done", 0, "d"]
        ]
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves out dependencies that lead in a circle, and says so", () =>
    Effect.gen(function* () {
      const result = yield* importing(
        { id: "A-1", title: "A", dependencies: ["A-2", "a-1"] },
        { id: "A-2", title: "B", dependencies: ["A-3"] },
        { id: "A-3", title: "C", dependencies: ["A-1", "Z-9"] }
      )
      assert.deepStrictEqual(result.skippedDependencies, [
        { taskId: "A-1", dependsOn: "A-1", reason: "self" },
        { taskId: "A-3", dependsOn: "A-1", reason: "cycle" }
      ])
      const later = yield* importing({ id: "Z-9", title: "D", dependencies: ["A-1"] })
      assert.deepInclude(later, { imported: 1 })
      assert.deepStrictEqual(later.skippedDependencies, [
        { taskId: "Z-9", dependsOn: "A-1", reason: "cycle" }
      ])
      assert.deepStrictEqual((yield* task("A-3")).dependencies, ["Z-9"])
      assert.deepStrictEqual((yield* task("Z-9")).dependencies, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is recorded task by task, without their texts", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      yield* importing({ id: "A-1", title: "A secret plan", status: "done" }, { id: "A-2", title: "B" })
      const events = yield* storage.read(Outbox.after(0, 10))
      assert.deepStrictEqual(
        events.map(({ actor, kind, payload, resource, resourceId }) => [
          kind,
          resource,
          resourceId,
          actor,
          JSON.parse(payload)
        ]),
        [
          ["task.imported", "task", "A-1", "admin", { revision: 1, to: "done" }],
          ["task.imported", "task", "A-2", "admin", { revision: 1, to: "todo" }]
        ]
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves an archived task alone until it is restored", () =>
    Effect.gen(function* () {
      const { client } = yield* World
      const { tasks } = yield* client()
      yield* importing({ id: "A-1", title: "A", dependencies: ["A-2"] })
      yield* tasks.archive({ path: { id: "A-1" }, headers: {} })
      yield* importing({ id: "A-2", title: "B" })
      assert.deepStrictEqual((yield* task("A-1")).dependencies, [])
      yield* tasks.restore({ path: { id: "A-1" }, headers: {} })
      const again = yield* importing({ id: "A-2", title: "B" })
      assert.deepInclude(again, { imported: 0, unchanged: 1 })
      assert.deepStrictEqual((yield* task("A-1")).dependencies, ["A-2"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("takes JSON Lines under both media types, and a file that ends its lines like Windows", () =>
    Effect.gen(function* () {
      for (const type of ["application/x-ndjson", "text/plain; charset=utf-8"]) {
        const answer = yield* post(`\uFEFF{"id":"${type.slice(0, 4)}","title":"A"}\r\n\r\n`, type)
        assert.strictEqual(answer.status, 200)
        assert.deepInclude(answer.body, { imported: 1, failed: [] })
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("refuses what is not JSON Lines, and more of them than it takes", () =>
    Effect.gen(function* () {
      const issue = (answer: { readonly body: unknown }) => answer.body
      const json = yield* post(`{"title":"A"}`, "application/json")
      assert.strictEqual(json.status, 400)
      assert.deepStrictEqual(issue(json), {
        error: "Validation failed",
        code: "VALIDATION_ERROR",
        details: {
          issues: [{ path: "", message: "Expected JSON Lines, sent as application/x-ndjson or text/plain" }]
        }
      })
      const empty = yield* post("", "application/x-ndjson")
      assert.deepStrictEqual([empty.status, empty.body.code], [400, "VALIDATION_ERROR"])
      assert.strictEqual((yield* post("<a/>", "application/xml")).status, 415)
      const many = yield* post(`{"title":"A"}\n`.repeat(2_001), "application/x-ndjson")
      assert.strictEqual(many.status, 400)
      assert.strictEqual(many.body.details.issues[0].message, "Expected at most 2000 lines")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is for administrators", () =>
    Effect.gen(function* () {
      for (const as of ["agent", "read-only"] as const) {
        const answer = yield* post(`{"title":"A"}`, "application/x-ndjson", as)
        assert.strictEqual(answer.status, 403)
        assert.deepInclude(answer.body, { code: "PERMISSION_DENIED" })
        assert.strictEqual(answer.body.details.requiredPermission, "admin:manage")
      }
      assert.strictEqual((yield* post(`{"title":"A"}`, "application/x-ndjson", null)).status, 401)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("shows the first thousand entries of a list, and counts all of them", () =>
    Effect.gen(function* () {
      const result = yield* importing(...Array.from({ length: 1_500 }, () => ({ nothing: true })))
      assert.strictEqual(result.failed.length, 1_000)
      assert.strictEqual(result.counts.failed, 1_500)
      assert.strictEqual(result.imported, 0)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("comes once, however many bring it at the same time", () =>
    Effect.gen(function* () {
      const line = { id: "O-1", title: "A" }
      const results = yield* Effect.all(
        Array.from({ length: 10 }, () => importing(line)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(
        results.reduce((sum, { imported }) => sum + imported, 0),
        1
      )
      assert.isTrue(results.every(({ duplicates }) => duplicates.length === 0))
    }).pipe(Effect.provide(shared))
  )
})

describe("tasks that share an identity", () => {
  const twins = [
    { id: "T-1", title: "One" },
    { id: "T-1", title: "Another", status: "backlog" }
  ]
  const item = { provider: "github", repository: "o/r", number: 1 }
  const pr = { repository: "o/r", number: 2 }
  const sharers = [
    { id: "E-1", title: "Issue", externalWorkItems: [item] },
    { id: "E-2", title: "The same issue", status: "done", externalWorkItems: [item] },
    { id: "E-3", title: "Pull request", git: { pr } },
    { id: "E-4", title: "The same pull request", git: { pr } },
    { id: "E-5", title: "Nobody else's", externalWorkItems: [{ ...item, number: 9 }] }
  ]

  it.scopedLive("come in, are kept, and are named in the answer, in the list and in its header", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      assert.isNull((yield* request("GET", "/api/tasks")).headers.get("x-veritas-task-identity-conflicts"))
      const result = yield* importing(...twins, ...sharers)
      assert.strictEqual(result.imported, 7)
      assert.deepStrictEqual(
        result.duplicates.map(({ id, kind }) => [kind, id]),
        [
          ["task-id", "T-1"],
          ["external-identity", "github:o/r#1"],
          ["external-identity", "git-pr:o/r#2"]
        ]
      )
      assert.deepStrictEqual(
        result.duplicates[0]?.sources.map(({ location }) => location),
        ["active", "backlog"]
      )
      const { body, headers } = yield* request("GET", "/api/tasks")
      assert.strictEqual(headers.get("x-veritas-task-identity-conflicts"), "3")
      assert.strictEqual(body.tasks.length, 7)
      const { conflictCount, conflicts, duplicateIds } = body.meta.taskIdentityDiagnostics
      assert.strictEqual(conflictCount, 3)
      assert.deepStrictEqual([...duplicateIds].sort(), ["T-1", "git-pr:o/r#2", "github:o/r#1"])
      for (const { sources } of conflicts) {
        assert.strictEqual(sources.length, 2)
        for (const { path } of sources) assert.isFalse(path.startsWith("/"))
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are told of again by the same import, which brings them no second time", () =>
    Effect.gen(function* () {
      const first = yield* importing(...twins)
      const again = yield* importing(...twins)
      assert.deepInclude(again, { imported: 0, unchanged: 2, duplicates: first.duplicates })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("block every write to themselves with the identity envelope, and nobody else", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* importing(...twins, ...sharers)
      const writes = [
        ["PATCH", "/api/tasks/T-1", { title: "x" }, "update"],
        ["POST", "/api/tasks/T-1/demote", undefined, "demote"],
        ["POST", "/api/tasks/E-1/demote", undefined, "demote"],
        ["POST", "/api/tasks/T-1/archive", undefined, "archive"],
        ["PATCH", "/api/tasks/E-3", { title: "x" }, "update"]
      ] as const
      for (const [method, path, body, operation] of writes) {
        const answer = yield* request(method, path, { body })
        assert.strictEqual(answer.status, 409, path)
        assert.deepStrictEqual(Object.keys(answer.body).sort(), ["code", "details", "message"])
        assert.deepInclude(answer.body, { code: "CONFLICT", message: "Duplicate task identity detected" })
        const { conflicts, duplicateIds, operation: refused, taskId } = answer.body.details
        assert.strictEqual(refused, operation)
        assert.strictEqual(taskId, path.split("/")[3])
        assert.strictEqual(duplicateIds.length, 1)
        assert.strictEqual(conflicts[0].id, duplicateIds[0])
        assert.strictEqual(conflicts[0].sources.length, 2)
      }
      const move = yield* request("POST", "/api/tasks/T-1/move", {
        headers: { "if-match": '"task:T-1:1"' },
        body: {
          operationId: "6f0f2d3e-8a63-4c6e-9a0e-0d9f5d0c1a11",
          sourceStatus: "todo",
          sourcePosition: 0,
          destinationStatus: "done",
          destinationIndex: 0
        }
      })
      assert.deepStrictEqual([move.status, move.body.details.operation], [409, "move"])
      const free = yield* request("PATCH", "/api/tasks/E-5", { body: { title: "Free" } })
      assert.strictEqual(free.status, 200)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are free again when one of two that share an external identity is deleted", () =>
    Effect.gen(function* () {
      const { client, request } = yield* World
      yield* importing(...sharers)
      const { tasks } = yield* client("admin")
      const refused = yield* tasks
        .patch({ path: { id: "E-3" }, headers: {}, payload: { title: "x" } })
        .pipe(Effect.either)
      assert.isTrue(Either.isLeft(refused) && refused.left instanceof IdentityConflict)
      yield* tasks.remove({ path: { id: "E-2" }, headers: {} })
      yield* tasks.patch({ path: { id: "E-1" }, headers: {}, payload: { title: "x" } })
      yield* tasks.remove({ path: { id: "E-4" }, headers: {} })
      const { body, headers } = yield* request("GET", "/api/tasks")
      assert.isNull(headers.get("x-veritas-task-identity-conflicts"))
      assert.isUndefined(body.meta)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("get ids of their own when an administrator repairs them", () =>
    Effect.gen(function* () {
      const { client, request } = yield* World
      yield* importing(
        ...twins,
        { id: "T-1", title: "A third", dependencies: ["T-2"] },
        { id: "T-2", title: "Below" },
        { id: "T-3", title: "Above", dependencies: ["T-1"] }
      )
      const agent = yield* request("POST", "/api/tasks/import/repair-ids")
      assert.strictEqual(agent.status, 403)
      const { imports, tasks } = yield* client("admin")
      const result = yield* imports.repairIds({})
      assert.deepStrictEqual(
        result.repaired.map(({ id, title }) => [id, title]),
        [
          ["T-1", "Another"],
          ["T-1", "A third"]
        ]
      )
      assert.strictEqual(result.remaining, 0)
      const [, third] = result.repaired
      const renamed = yield* tasks.get({ path: { id: third?.newId ?? "" } })
      assert.deepInclude({ ...renamed }, { title: "A third", revision: 2, dependencies: ["T-2"] })
      assert.strictEqual((yield* tasks.get({ path: { id: "T-1" } })).title, "One")
      assert.deepStrictEqual((yield* tasks.get({ path: { id: "T-3" } })).dependencies, ["T-1"])
      const { body, headers } = yield* request("GET", "/api/tasks")
      assert.isNull(headers.get("x-veritas-task-identity-conflicts"))
      assert.strictEqual(body.tasks.length, 5)
      for (const id of ["T-1", renamed.id]) {
        assert.strictEqual(
          (yield* request("PATCH", `/api/tasks/${id}`, { body: { title: "x" } })).status,
          200
        )
      }
      const below = yield* request("GET", "/api/tasks/T-2/dependencies")
      assert.deepStrictEqual(
        below.body.blocks.map(({ id }: { id: string }) => id),
        [renamed.id]
      )
      const again = yield* importing(...twins)
      assert.deepInclude(again, { imported: 0, unchanged: 2, duplicates: [] })
      assert.deepStrictEqual(yield* imports.repairIds({}), { repaired: [], remaining: 0 })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are found across the board and the archive", () =>
    Effect.gen(function* () {
      const { client, request } = yield* World
      const { tasks } = yield* client()
      yield* tasks.create({ payload: { id: "A-1", title: "First" } })
      yield* tasks.archive({ path: { id: "A-1" }, headers: {} })
      const result = yield* importing({ id: "A-1", title: "Second" })
      assert.deepStrictEqual(
        result.duplicates.map(({ id, sources }) => [id, ...sources.map(({ location }) => location)]),
        [["A-1", "active", "archive"]]
      )
      assert.strictEqual(
        (yield* request("GET", "/api/tasks")).headers.get("x-veritas-task-identity-conflicts"),
        "1"
      )
    }).pipe(Effect.provide(world()))
  )
})
