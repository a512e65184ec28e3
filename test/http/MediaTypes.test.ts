import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sharedWorld } from "../support/SharedWorld.ts"
import { World } from "../support/World.ts"

const shared = sharedWorld()

describe("a JSON body", () => {
  it.scopedLive("may come under any media type that says JSON", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const type of [
        "application/json",
        "application/json; charset=utf-8",
        "APPLICATION/JSON",
        "application/merge-patch+json",
        "application/vnd.acme.task+json; v=1"
      ]) {
        const answer = yield* request("POST", "/api/tasks", {
          body: { title: type },
          headers: { "content-type": type }
        })
        assert.strictEqual(answer.status, 201, type)
        assert.deepInclude(answer.body, { title: type })
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is not taken from lines of text, nor under their media types", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const type of [
        "text/plain",
        "text/plain; charset=utf-8",
        "application/x-ndjson",
        "application/jsonl"
      ]) {
        for (const [method, path] of [
          ["POST", "/api/tasks"],
          ["POST", "/api/tasks/import/repair-ids"],
          ["PATCH", "/api/tasks/nobody"]
        ] as const) {
          const answer = yield* request(method, path, {
            as: "admin",
            raw: '{"title":"A task"}',
            headers: { "content-type": type }
          })
          assert.deepStrictEqual([answer.status, answer.body.code], [415, "UNSUPPORTED_MEDIA_TYPE"], type)
        }
        const lines = yield* request("POST", "/api/v1/tasks/import?x=1", {
          as: "admin",
          raw: JSON.stringify({ title: type }),
          headers: { "content-type": type }
        })
        assert.strictEqual(lines.status, 200, type)
      }
    }).pipe(Effect.provide(shared))
  )
})
