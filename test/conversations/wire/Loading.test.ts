import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Verifier } from "../../../src/conversations/wire/Verifier.ts"
import { message } from "../../support/relay/Drafts.ts"
import { alice, channel } from "../relay/Bridged.ts"

describe("The verifier", () => {
  it.scopedLive("serves the others when the first who asked left before it was loaded", () =>
    Effect.gen(function* () {
      const { verify } = yield* Verifier
      const event = message({ by: alice, channel, content: "true" })
      const first = yield* Effect.fork(verify([event]))
      yield* Effect.yieldNow()
      yield* Fiber.interruptFork(first)
      assert.deepStrictEqual(yield* verify([event]), [true])
    }).pipe(Effect.provide(Verifier.layer))
  )
})
