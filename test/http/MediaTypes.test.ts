import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { World, world } from "../support/World.ts"

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
    }).pipe(Effect.provide(world()))
  )
})
