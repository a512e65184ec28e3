import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Envelope from "../../src/kernel/Envelope.ts"
import { World, world } from "../support/World.ts"

class Bare extends Schema.TaggedError<Bare>()("Bare", {}) {}
class Detailed extends Schema.TaggedError<Detailed>()("Detailed", { id: Schema.String }) {}

const wire = { status: 404, code: "NOT_FOUND", message: () => "It is not here" }
const Failure = Schema.Union(Envelope.general(Bare, wire), Envelope.general(Detailed, wire))

describe("errors that share a code", () => {
  it.effect("keep their own details on the wire and back", () =>
    Effect.gen(function* () {
      const encode = Schema.encode(Failure)
      const decode = Schema.decodeUnknown(Failure)
      const bare = yield* encode(new Bare())
      assert.deepStrictEqual(bare, { error: "It is not here", code: "NOT_FOUND" })
      assert.deepStrictEqual(yield* decode(bare), new Bare())
      const detailed = yield* encode(new Detailed({ id: "x" }))
      assert.deepStrictEqual(detailed, {
        error: "It is not here",
        code: "NOT_FOUND",
        details: { id: "x" }
      })
      assert.deepStrictEqual(yield* decode(detailed), new Detailed({ id: "x" }))
    })
  )
})

describe("an unknown route", () => {
  it.scopedLive("is a 404 without details", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { body, status } = yield* request("GET", "/api/nowhere")
      assert.strictEqual(status, 404)
      assert.deepStrictEqual(body, {
        error: "There is no such route; /docs lists those that there are",
        code: "NOT_FOUND"
      })
    }).pipe(Effect.provide(world()))
  )
})
