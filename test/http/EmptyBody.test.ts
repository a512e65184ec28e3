import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { World, world } from "../support/World.ts"

describe("a request without a body", () => {
  it.scopedLive("is read as an empty object, whatever its media type says", () =>
    Effect.gen(function* () {
      const { client, request } = yield* World
      const { tasks } = yield* client()
      for (const type of [
        "application/json",
        "application/octet-stream",
        "application/x-ndjson",
        "text/plain"
      ]) {
        const headers = { "content-type": type }
        const created = yield* request("POST", "/api/tasks", { raw: "", headers })
        assert.strictEqual(created.status, 400, type)
        assert.deepInclude(created.body, { code: "VALIDATION_ERROR" })
        const { id } = yield* tasks.create({ payload: { title: "Card" } })
        const archived = yield* request("POST", `/api/tasks/${id}/archive`, { raw: "", headers })
        assert.strictEqual(archived.status, 200, type)
      }
    }).pipe(Effect.provide(world()))
  )
})
