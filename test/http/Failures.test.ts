import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { createTask } from "../support/Board.ts"
import { World, type WorldOptions, world } from "../support/World.ts"

const write = (unit: ReturnType<typeof run>) => Effect.flatMap(Storage, (storage) => storage.write(unit))

/** A world on its first start: nobody has configured a key. */
const newcomer: WorldOptions = { auth: { adminKey: undefined, apiKeys: [] } }

describe("a fault of the server", () => {
  it.scopedLive("is told by the id of its request, and by nothing else", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask({ title: "sEcReT" })
      yield* write(run(sql`DROP TABLE task_documents`))
      for (const [method, path, body] of [
        ["GET", `/api/tasks/${id}`],
        ["GET", "/api/tasks?status=todo"],
        ["PATCH", `/api/tasks/${id}`, { title: "sEcReT" }]
      ] as const) {
        const failed = yield* request(method, path, { body, headers: { "x-request-id": "the-request" } })
        assert.strictEqual(failed.status, 500, path)
        assert.deepStrictEqual(failed.body, {
          error: "Something went wrong on the server; its log tells more under request the-request",
          code: "INTERNAL_ERROR",
          details: { requestId: "the-request" }
        })
        assert.strictEqual(failed.headers.get("x-request-id"), "the-request")
      }
      assert.strictEqual((yield* request("GET", "/health")).status, 200)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("that is a full disk says that nothing was written, and is over when there is room", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const limitPages = (count: number) =>
        write(run((compose) => compose`PRAGMA max_page_count = ${compose.literal(String(count))}`))
      yield* limitPages(1)
      const body = { description: "x".repeat(90_000) }
      const full = yield* request("PATCH", `/api/tasks/${id}`, { body })
      assert.strictEqual(full.status, 503)
      assert.deepStrictEqual(full.body, {
        error: "Nothing was written: the disk is full",
        code: "STORAGE_UNAVAILABLE",
        details: { reason: "the disk is full" }
      })
      const read = yield* request("GET", `/api/tasks/${id}`)
      assert.strictEqual(read.body.revision, 1)
      yield* limitPages(1_000_000)
      assert.strictEqual((yield* request("PATCH", `/api/tasks/${id}`, { body })).status, 200)
    }).pipe(Effect.provide(world()))
  )
})

describe("a request without a valid credential", () => {
  it.scopedLive("is told on this machine where the key of the first start lies", () =>
    Effect.gen(function* () {
      const { directory, request } = yield* World
      for (const headers of [{}, { "x-api-key": "sEcReT" }, { authorization: "Bearer sEcReT" }]) {
        const refused = yield* request("GET", "/api/tasks", { as: null, headers })
        assert.strictEqual(refused.status, 401)
        assert.hasAllKeys(refused.body, ["error", "code", "details"])
        assert.strictEqual(refused.body.code, "UNAUTHORIZED")
        assert.include(refused.body.details.remedy, join(directory, "admin-key"))
        assert.notInclude(JSON.stringify(refused.body), "sEcReT")
      }
    }).pipe(Effect.provide(world(newcomer)))
  )

  it.scopedLive("learns nothing about this machine's files when it came through a proxy", () =>
    Effect.gen(function* () {
      const { directory, request } = yield* World
      for (const name of ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"]) {
        const refused = yield* request("GET", "/api/tasks", { as: null, headers: { [name]: "127.0.0.1" } })
        assert.strictEqual(refused.status, 401, name)
        assert.notInclude(JSON.stringify(refused.body), directory)
        assert.include(refused.body.details.remedy, "X-API-Key")
      }
    }).pipe(Effect.provide(world(newcomer)))
  )

  it.scopedLive("learns of no file when the keys are configured", () =>
    Effect.gen(function* () {
      const { directory, request } = yield* World
      const refused = yield* request("GET", "/api/tasks", { as: null })
      assert.strictEqual(refused.status, 401)
      assert.notInclude(JSON.stringify(refused.body), directory)
    }).pipe(Effect.provide(world()))
  )
})
