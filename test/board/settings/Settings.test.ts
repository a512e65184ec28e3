import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { defaultAdmission } from "../../../src/board/settings/AdmissionSettings.ts"
import { run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { World, world } from "../../support/World.ts"

const path = "/api/settings/features"
const patch = (body: unknown) =>
  Effect.flatMap(World, ({ request }) => request("PATCH", path, { as: "admin", body }))
const shown = Effect.flatMap(World, ({ request }) => Effect.map(request("GET", path), ({ body }) => body))

describe("the settings of runs", () => {
  it.scopedLive("show what is in force before anybody chose", () =>
    Effect.gen(function* () {
      const { admission, autoCommit, watcherContinuations } = yield* shown
      assert.deepStrictEqual(admission, {
        enabled: true,
        limits: {
          global: { runs: null, processes: null, memoryMb: null },
          workspace: { runs: 10, processes: null, memoryMb: null },
          provider: { runs: null, processes: null, memoryMb: null },
          host: { runs: null, processes: null, memoryMb: null }
        },
        queue: {
          enabled: true,
          maxEntries: 200,
          retryAfterMs: 5_000,
          leaseMs: 60_000,
          scheduler: { agePromotionMs: 300_000, maxPromotions: 3 }
        },
        fanOutBreaker: {
          maxDescendants: 256,
          maxDepth: 16,
          maxActiveReservations: 64,
          maxQueuedDescendants: 64,
          pressurePercent: 95,
          pressureMinDescendants: 8
        }
      })
      assert.deepStrictEqual(watcherContinuations, { mode: "observe", maxContinuations: 3, spendCapUsd: 50 })
      assert.isFalse(autoCommit)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("change by what is named alone, at every depth, wherever it is named", () =>
    Effect.gen(function* () {
      yield* patch({ admission: { limits: { workspace: { runs: 0 } }, queue: { leaseMs: 86_400_000 } } })
      yield* patch({
        autoCommit: true,
        features: {
          admission: { queue: { scheduler: { maxPromotions: 1 } } },
          watcherContinuations: { mode: "enforce", spendCapUsd: 1.5 }
        }
      })
      const { admission, autoCommit, watcherContinuations } = yield* shown
      assert.deepStrictEqual(admission, {
        ...defaultAdmission,
        limits: { ...defaultAdmission.limits, workspace: { runs: 0, processes: null, memoryMb: null } },
        queue: {
          ...defaultAdmission.queue,
          leaseMs: 86_400_000,
          scheduler: { agePromotionMs: 300_000, maxPromotions: 1 }
        }
      })
      assert.deepStrictEqual(watcherContinuations, {
        mode: "enforce",
        maxContinuations: 3,
        spendCapUsd: 1.5
      })
      assert.isTrue(autoCommit)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("lose a limit by null, and get any other default back by it", () =>
    Effect.gen(function* () {
      yield* patch({ admission: { limits: { workspace: { runs: null } } } })
      assert.isNull((yield* shown).admission.limits.workspace.runs)
      yield* patch({ admission: { limits: { host: { runs: 3, memoryMb: 9 } }, queue: { maxEntries: 7 } } })
      yield* patch({ admission: { limits: { host: null }, queue: { maxEntries: null } } })
      const { admission } = yield* shown
      assert.deepStrictEqual(admission.limits.host, { runs: null, processes: null, memoryMb: null })
      assert.strictEqual(admission.queue.maxEntries, 200)
      yield* patch({ admission: null, watcherContinuations: null, autoCommit: null })
      assert.deepStrictEqual((yield* shown).admission, defaultAdmission)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("take nothing else", () =>
    Effect.gen(function* () {
      for (const body of [
        { admission: { foo: 1 } },
        { admission: { limits: { workspace: { runs: -1 } } } },
        { admission: { limits: { workspace: { runs: 1.5 } } } },
        { admission: { limits: { workspace: { runs: "1" } } } },
        { admission: { limits: { galaxy: { runs: 1 } } } },
        { admission: { limits: { global: { cores: 1 } } } },
        { admission: { queue: { leaseMs: 0 } } },
        { admission: { queue: { leaseMs: 86_400_001 } } },
        { admission: { queue: { scheduler: { maxPromotions: -1 } } } },
        { admission: { queue: { scheduler: { x: 1 } } } },
        { admission: { fanOutBreaker: { maxDepth: 0.5 } } },
        { admission: { fanOutBreaker: { pressurePercent: 101 } } },
        { features: { admission: { queue: { maxEntries: -1 } } } },
        { watcherContinuations: { mode: "on" } },
        { watcherContinuations: { maxContinuations: 1.5 } },
        { watcherContinuations: { spendCapUsd: -0.01 } },
        { watcherContinuations: { cap: 1 } },
        { autoCommit: "yes" }
      ]) {
        const { body: answer, status } = yield* patch(body)
        assert.strictEqual(status, 400, JSON.stringify(body))
        assert.deepInclude(answer, { error: "Validation failed", code: "VALIDATION_ERROR" })
      }
      assert.deepStrictEqual((yield* shown).admission, defaultAdmission)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive(
    "read what was stored while anything was taken, and trust nothing of it that does not fit",
    () =>
      Effect.gen(function* () {
        const { write } = yield* Storage
        const stored = {
          darkMode: true,
          squadChat: true,
          analyticsEnabled: true,
          watcherContinuations: { mode: 7, maxContinuations: 5, more: [] },
          admission: { limits: { workspace: { runs: "many", processes: 4 } }, queue: 12, colour: "red" }
        }
        yield* write(
          run(
            sql`INSERT INTO singletons (name, json, updated_at) VALUES ('features', ${JSON.stringify(stored)}, 0)`
          )
        )
        const features = yield* shown
        assert.isTrue(features.darkMode)
        assert.deepStrictEqual(features.admission, {
          ...defaultAdmission,
          limits: { ...defaultAdmission.limits, workspace: { runs: 10, processes: 4, memoryMb: null } }
        })
        assert.deepStrictEqual(features.watcherContinuations, {
          mode: "observe",
          maxContinuations: 5,
          spendCapUsd: 50
        })
        yield* patch({ darkMode: false })
        assert.deepStrictEqual((yield* shown).admission, features.admission)
      }).pipe(Effect.provide(world()))
  )
})
