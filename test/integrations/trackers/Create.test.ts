import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { ask, assertIdentityConflict, createTask, etagOf, getTask } from "../../support/Board.ts"
import { World, world } from "../../support/World.ts"
import { at, connect, create, introspect, sample, sampleProfile, saveProfile } from "./Trackers.ts"

/** The items of the sample tracker, as its table holds them. */
const localItems = Effect.flatMap(Storage, ({ select }) =>
  select<{ number: number; json: string }>(sql`SELECT number, json FROM tracker_local_items ORDER BY number`)
)

const audits = (query = "") => ask("GET", `${at}/audits${query}`)

describe("an item for a task", () => {
  it.scopedLive("is made at the tracker, and the task says so", () =>
    Effect.gen(function* () {
      yield* sample
      const task = yield* createTask({ title: "Write it" })
      const { body, status } = yield* create(task.id, "sample", " Ann Author ")
      assert.strictEqual(status, 201)
      assert.deepInclude(body, { externalWrite: true, taskId: task.id, profileId: "sample", warnings: [] })
      assert.deepInclude(body.backlink, {
        provider: "local",
        id: "demo:1",
        key: "demo#1",
        repository: "local/demo",
        number: 1,
        url: "local://local/demo/1",
        profileId: "sample",
        approvedBy: "Ann Author"
      })
      const after = yield* getTask(task.id)
      assert.strictEqual(after.revision, task.revision + 1)
      assert.deepStrictEqual(after.externalWorkItems, [body.backlink])
      const items = yield* localItems
      assert.lengthOf(items, 1)
      assert.include(items[0]?.json, "Write it")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is made once: a repeat is told which one there is", () =>
    Effect.gen(function* () {
      yield* sample
      yield* saveProfile({ ...sampleProfile, id: "other" })
      const { id } = yield* createTask()
      yield* create(id, "sample")
      const { body, status } = yield* create(id, "sample")
      assert.strictEqual(status, 409)
      assert.deepInclude(body, { code: "CONFLICT" })
      assert.deepInclude(body.details, { taskId: id, profileId: "sample", key: "demo#1" })
      assert.strictEqual((yield* create(id, "other")).status, 201)
      // Who takes the item off the task does not ask for another one.
      yield* ask("PATCH", `/api/tasks/${id}`, { body: { externalWorkItems: [] } })
      assert.strictEqual((yield* create(id, "sample")).status, 409)
      assert.lengthOf(yield* localItems, 2)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is made once when many ask at the same time", () =>
    Effect.gen(function* () {
      yield* sample
      const { id } = yield* createTask()
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => create(id, "sample")),
        { concurrency: "unbounded" }
      )
      const statuses = answers.map(({ status }) => status).sort()
      assert.deepStrictEqual(statuses, [201, ...Array.from({ length: 19 }, () => 409)])
      assert.lengthOf(yield* localItems, 1)
      assert.lengthOf((yield* getTask(id)).externalWorkItems, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("needs somebody who approves it, and a key that may send it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* sample
      const { id } = yield* createTask()
      const path = `${at}/profiles/sample/create`
      for (const body of [{ taskId: id }, { taskId: id, approvedBy: "  " }, { approvedBy: "Ann" }]) {
        assert.strictEqual((yield* request("POST", path, { as: "admin", body })).status, 400)
      }
      const body = { taskId: id, approvedBy: "Ann" }
      for (const as of ["agent", "read-only"] as const) {
        assert.strictEqual((yield* request("POST", path, { as, body })).status, 403)
      }
      assert.strictEqual((yield* create("nobody", "sample")).status, 404)
      assert.strictEqual((yield* create(id, "nobody")).status, 404)
      assert.deepStrictEqual(yield* localItems, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is not made for another revision than whoever asked has seen, and nothing is noted", () =>
    Effect.gen(function* () {
      yield* sample
      const { request } = yield* World
      const task = yield* createTask()
      const make = (headers: Record<string, string>) =>
        request("POST", `${at}/profiles/sample/create`, {
          as: "admin",
          headers,
          body: { taskId: task.id, approvedBy: "Ann" }
        })
      for (const headers of [{ "if-match": `"task:${task.id}:9"` }, { "x-resource-revision": "9" }]) {
        const { body, status } = yield* make(headers)
        assert.strictEqual(status, 409)
        assert.deepInclude(body.details, { resourceId: task.id, expectedRevision: 9, currentRevision: 1 })
      }
      assert.strictEqual((yield* make({ "if-match": "whatever" })).status, 400)
      assert.lengthOf(yield* localItems, 0)
      assert.notInclude(
        (yield* audits()).map(({ action }: { action: string }) => action),
        "create.started"
      )
      assert.strictEqual((yield* make({ "if-match": etagOf(task) })).status, 201)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is not made for a task that can't say so", () =>
    Effect.gen(function* () {
      yield* sample
      const archived = yield* createTask()
      yield* ask("POST", `/api/tasks/${archived.id}/archive`)
      assert.strictEqual((yield* create(archived.id, "sample")).status, 409)
      const full = yield* createTask({
        externalWorkItems: Array.from({ length: 50 }, (_, index) => ({
          provider: "github",
          repository: "acme/board",
          number: index + 1
        }))
      })
      const { body, status } = yield* create(full.id, "sample")
      assert.strictEqual(status, 409)
      assert.deepInclude(body.details, { field: "externalWorkItems", limit: 50 })
      yield* connect({ provider: "local", project: "demo", enabled: false })
      const { id } = yield* createTask()
      const off = yield* create(id, "sample")
      assert.strictEqual(off.status, 409)
      assert.deepInclude(off.body.details, {
        reason: "connection-disabled",
        retryable: false,
        outcome: "nothing-done"
      })
      assert.deepStrictEqual(yield* localItems, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("that another task claims already is told as the conflict that it is, and linked later", () =>
    Effect.gen(function* () {
      yield* sample
      const claim = { provider: "local", repository: "local/demo", number: 1 }
      const holder = yield* createTask({ externalWorkItems: [claim] })
      const { id } = yield* createTask()
      assertIdentityConflict(yield* create(id, "sample"), { operation: "tracker-create", taskId: id })
      assert.deepStrictEqual((yield* getTask(id)).externalWorkItems, [])
      yield* ask("PATCH", `/api/tasks/${holder.id}`, { body: { externalWorkItems: [] } })
      // The item is there already: what is missing is the word of it, by who approved it then.
      const { body, status } = yield* create(id, "sample", "Ben")
      assert.strictEqual(status, 201)
      assert.deepInclude(body.backlink, { number: 1, approvedBy: "Ann" })
      assert.lengthOf(yield* localItems, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is an identity that no other task can claim", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* sample
      const { id } = yield* createTask()
      const { backlink } = (yield* create(id, "sample")).body
      const body = { title: "Mine", externalWorkItems: [backlink] }
      const answer = yield* request("POST", "/api/tasks", { body })
      assertIdentityConflict(answer, { operation: "create", taskId: answer.body.details.taskId })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("keeps who approved it, whatever clients write back", () =>
    Effect.gen(function* () {
      yield* sample
      const { id } = yield* createTask()
      const { backlink } = (yield* create(id, "sample")).body
      const echoed = yield* ask("PATCH", `/api/tasks/${id}`, {
        body: { externalWorkItems: [{ ...backlink, approvedBy: "Mallory", profileId: "other" }] }
      })
      assert.deepStrictEqual(echoed.externalWorkItems, [backlink])
      const { number, provider, repository } = backlink
      const forged = yield* createTask({
        externalWorkItems: [{ provider, repository, number: number + 1, approvedBy: "Mallory" }]
      })
      assert.notProperty(forged.externalWorkItems[0], "approvedBy")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("of a task that is deleted is not in the way of a later task with its id", () =>
    Effect.gen(function* () {
      yield* sample
      yield* createTask({ id: "T-1" })
      yield* create("T-1", "sample")
      yield* ask("DELETE", "/api/tasks/T-1", { as: "admin" })
      yield* createTask({ id: "T-1" })
      assert.deepInclude((yield* create("T-1", "sample")).body.backlink, { number: 2 })
    }).pipe(Effect.provide(world()))
  )
})

describe("the audit of the trackers", () => {
  it.scopedLive("says who did what and who approved it, and nothing of what was written", () =>
    Effect.gen(function* () {
      yield* connect({ provider: "local", project: "demo" })
      yield* introspect("local", "demo")
      yield* saveProfile(sampleProfile)
      const { id } = yield* createTask({ title: "Unspeakable", description: "Nobody may read this" })
      yield* create(id, "sample")
      const all = yield* audits()
      assert.deepStrictEqual(
        all.map(({ action }: { action: string }) => action),
        [
          "create.linked",
          "create.succeeded",
          "create.started",
          "profile.saved",
          "schema.introspected",
          "connection.updated"
        ]
      )
      assert.deepInclude(all[0], {
        actor: "admin",
        approvedBy: "Ann",
        provider: "local",
        project: "demo",
        profileId: "sample",
        taskId: id,
        externalKey: "demo#1"
      })
      assert.notInclude(JSON.stringify(all), "Unspeakable")
      assert.notInclude(JSON.stringify(all), "Nobody may read")
      assert.deepStrictEqual(yield* audits("?limit=2&offset=1"), all.slice(1, 3))
      const { headers } = yield* Effect.flatMap(World, ({ request }) =>
        request("GET", `${at}/audits?limit=1`)
      )
      assert.strictEqual(headers.get("x-total-count"), "6")
    }).pipe(Effect.provide(world()))
  )
})
