import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, TestClock } from "effect"
import { SigningKeys } from "../../src/identity/keys/SigningKeys.ts"
import { now } from "../../src/kernel/Time.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { temporaryDirectory } from "../support/World.ts"

const keysIn = (directory: string, configured?: string) =>
  SigningKeys.layer(configured === undefined ? undefined : Redacted.make(configured)).pipe(
    Layer.provide(Storage.layerSqlite({ directory })),
    Layer.provide(NodeContext.layer)
  )

describe("the signing secret", () => {
  it.scoped("that was replaced counts for one more hour, also across a restart, and then no more", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const before = yield* Effect.gen(function* () {
        const keys = yield* SigningKeys
        const { id } = keys.current()
        yield* keys.rotate
        assert.notStrictEqual(keys.current().id, id)
        return id
      }).pipe(Effect.provide(keysIn(directory)))
      const counts = Effect.gen(function* () {
        const keys = yield* SigningKeys
        const at = yield* now
        const { graceUntil } = yield* keys.status
        return [keys.find(before, at) !== undefined, graceUntil !== null]
      }).pipe(Effect.provide(keysIn(directory)))
      yield* TestClock.adjust("59 minutes")
      assert.deepStrictEqual(yield* counts, [true, true])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* counts, [false, false])
    })
  )

  it.scoped("of the environment is always the same, and is not replaced here", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const look = Effect.gen(function* () {
        const keys = yield* SigningKeys
        const refused = yield* Effect.flip(keys.rotate)
        assert.strictEqual(refused._tag, "SecretConfigured")
        assert.deepInclude(yield* keys.status, { configured: true, rotatedAt: null, graceUntil: null })
        return keys.current().id
      })
      const secret = "a secret of thirty-two characters"
      const first = yield* Effect.provide(look, keysIn(directory, secret))
      assert.strictEqual(yield* Effect.provide(look, keysIn(directory, secret)), first)
      assert.notStrictEqual(yield* Effect.provide(look, keysIn(directory, `${secret}!`)), first)
    })
  )

  it.scoped("that can't be read stops the start, and is not shown", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.sync(() => writeFileSync(join(directory, "signing-keys.json"), '[{"secret":"hush"'))
      const error = yield* Effect.flip(Effect.provide(SigningKeys, keysIn(directory)))
      assert.include(String(error), "signing-keys.json")
      assert.notInclude(String(error), "hush")
    })
  )
})
