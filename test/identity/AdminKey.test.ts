import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Redacted } from "effect"
import { ensureAdminKey } from "../../src/identity/auth/AdminKey.ts"
import { temporaryDirectory } from "../support/World.ts"

/** The key of a directory, and what was said about it. */
const ensure = (directory: string) =>
  Effect.suspend(() => {
    const said: Array<string> = []
    const logger = Logger.make(({ message }) => said.push(String(message)))
    return Effect.map(ensureAdminKey(directory), (key) => ({ key: Redacted.value(key), said })).pipe(
      Effect.provide([NodeContext.layer, Logger.replace(Logger.defaultLogger, logger)])
    )
  })

const modeOf = (file: string) => statSync(file).mode & 0o777

describe("the admin key of a data directory", () => {
  it.scoped("is made once, for the eyes of its owner", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "admin-key")
      const { key, said } = yield* ensure(directory)
      assert.strictEqual(readFileSync(file, "utf8").trim(), key)
      assert.strictEqual(modeOf(file), 0o600)
      assert.deepStrictEqual(yield* ensure(directory), { key, said: [] })
      assert.deepStrictEqual(said, [])
    })
  )

  it.scoped("is closed to others who could read it, and the operator is told, without the key", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "admin-key")
      const { key } = yield* ensure(directory)
      chmodSync(file, 0o644)
      const again = yield* ensure(directory)
      assert.strictEqual(again.key, key)
      assert.strictEqual(modeOf(file), 0o600)
      assert.lengthOf(again.said, 1)
      assert.include(again.said[0], file)
      assert.notInclude(again.said[0], key)
    })
  )

  it.scoped("is made anew in the place of an empty file, whoever could read that", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "admin-key")
      writeFileSync(file, "", { mode: 0o666 })
      const { key } = yield* ensure(directory)
      assert.isAtLeast(key.length, 32)
      assert.strictEqual(modeOf(file), 0o600)
    })
  )
})
