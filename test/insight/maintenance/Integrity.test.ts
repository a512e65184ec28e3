import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IntegrityChecks } from "../../../src/insight/maintenance/IntegrityChecks.ts"
import { spoilTable } from "../../support/Damage.ts"
import { temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const deep = Effect.flatMap(World, ({ request }) =>
  Effect.map(request("GET", "/health/deep", { as: "admin" }), ({ body }) => body)
)

describe("a check of the database", () => {
  it.scopedLive("that finds nothing wrong is told, and outlives a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const found = yield* Effect.flatMap(IntegrityChecks, ({ check }) => check).pipe(
        Effect.provide(worldIn(directory)),
        Effect.scoped
      )
      assert.strictEqual(found?.result, "ok")
      const { sqlite, status } = yield* deep.pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      assert.deepStrictEqual(sqlite.lastIntegrityCheck, found)
      assert.deepInclude(sqlite, { healthPosture: "healthy" })
      assert.strictEqual(status, "ok")
    })
  )

  it.scopedLive("that finds damage makes the service's health degraded", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.void.pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      yield* spoilTable(directory, "observations")
      const report = yield* Effect.gen(function* () {
        const { check } = yield* IntegrityChecks
        assert.deepInclude(yield* check, { result: "damaged" })
        return yield* deep
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      assert.deepInclude(report.sqlite, { healthPosture: "unhealthy" })
      assert.strictEqual(report.status, "degraded")
    })
  )

  it.scopedLive("is not made of a database in memory", () =>
    Effect.gen(function* () {
      const { check, last } = yield* IntegrityChecks
      assert.isUndefined(yield* check)
      assert.isUndefined(yield* last)
    }).pipe(Effect.provide(world({ databaseFile: ":memory:" })))
  )
})
