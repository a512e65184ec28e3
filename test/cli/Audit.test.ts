import { rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createTask } from "../support/Board.ts"
import { cli, cliAs } from "../support/Cli.ts"
import { tamper } from "../support/Tamper.ts"
import { temporaryDirectory, World, worldIn } from "../support/World.ts"

const threeTasks = Effect.replicateEffect(createTask(), 3, { discard: true })

describe("audit verify", () => {
  it.scopedLive("says that the chain is sound, and up to where it is signed", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.provide(threeTasks, worldIn(directory))
      yield* Effect.gen(function* () {
        const ran = yield* cliAs("admin", "audit", "verify")
        assert.deepStrictEqual([ran.exitCode, ran.stderr], [0, ""])
        assert.match(ran.stdout, /^The audit chain is sound: 3 entries\. Signed up to entry 3 at \S+\.$/)
        const json = yield* cliAs("admin", "audit", "verify", "--json")
        assert.deepInclude(json.json(), { valid: true, entries: 3 })
        assert.strictEqual((yield* cli("audit", "verify")).exitCode, 3)
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )

  const broken: ReadonlyArray<readonly [string, string]> = [
    ["UPDATE audit SET actor = 'nobody' WHERE sequence = 2", "entry 2 is not what was written"],
    ["DELETE FROM audit WHERE sequence = 2", "entry 2 is missing"],
    ["DELETE FROM audit WHERE sequence > 1", "entry 2 and what came after it were cut off"]
  ]
  for (const [statement, told] of broken) {
    it.scopedLive(`says that ${told}, and fails`, () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.provide(threeTasks, worldIn(directory))
        yield* tamper(directory, statement)
        const [ran, json] = yield* Effect.provide(
          Effect.all([cliAs("admin", "audit", "verify"), cliAs("admin", "audit", "verify", "--json")]),
          worldIn(directory)
        )
        assert.strictEqual(ran.exitCode, 1)
        assert.include(ran.stdout, `The audit chain is broken: ${told}.`)
        assert.deepStrictEqual([json.exitCode, json.json().valid], [1, false])
      })
    )
  }

  it.scopedLive("says that the head was taken away, and fails", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.gen(function* () {
        yield* threeTasks
        const { directory } = yield* World
        yield* Effect.sync(() => rmSync(join(directory, "audit-head.json")))
        const ran = yield* cliAs("admin", "audit", "verify")
        assert.strictEqual(ran.exitCode, 1)
        assert.include(ran.stdout, "the signed head of the chain was taken away")
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})
