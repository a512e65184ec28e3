import { statfs } from "node:fs/promises"
import { getHeapStatistics } from "node:v8"
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { nowIso } from "../../kernel/Time.ts"
import { singleton } from "../../storage/Singleton.ts"
import { Storage } from "../../storage/Storage.ts"
import type { Degraded, Liveness, Ready } from "./Readiness.ts"

type Readiness = typeof Ready.Type | typeof Degraded.Type
type Check = Readiness["checks"]["storage"]

const ok: Check = { status: "ok" }
const degraded = (detail: string): Check => ({ status: "degraded", detail })

/** What is written to see whether storage takes it. */
const probe = singleton("health-probe", Schema.Struct({}))

/** Less than this much free disk is too little: bytes, and a share of the whole. */
const leastFreeBytes = 100_000_000
const leastFreeShare = 0.01
const mostHeapShare = 0.9

/** What the disk check makes of the numbers. */
export const judgeDisk = (freeBytes: number, totalBytes: number): Check =>
  freeBytes < leastFreeBytes || freeBytes < totalBytes * leastFreeShare
    ? degraded(`${Math.floor(freeBytes / 1_000_000)} MB are free`)
    : ok

/** What the memory check makes of the numbers. */
export const judgeMemory = (usedBytes: number, limitBytes: number): Check =>
  usedBytes > limitBytes * mostHeapShare
    ? degraded(`the heap is at ${Math.round((100 * usedBytes) / limitBytes)} % of its limit`)
    : ok

export interface HealthService {
  readonly live: Effect.Effect<typeof Liveness.Type>
  readonly ready: Effect.Effect<Readiness>
}

export class Health extends Context.Tag("muster/Health")<Health, HealthService>() {
  static readonly layer = Layer.effect(
    Health,
    Effect.gen(function* () {
      const storage = yield* Storage

      const checkDamage = Effect.sync(() =>
        storage.damage.known() === undefined
          ? ok
          : degraded(
              "the database is damaged: stop the server and bring a backup back with muster restore FILE"
            )
      )
      const checkWrite = storage.write(probe.write({})).pipe(
        Effect.as(ok),
        Effect.timeoutTo({
          duration: "2 seconds",
          onSuccess: (check) => check,
          onTimeout: () => degraded("a write takes too long")
        }),
        Effect.catchAllDefect(() => Effect.succeed(degraded("storage does not take a write")))
      )
      // The write may be what finds the damage.
      const checkStorage = Effect.zipWith(checkWrite, checkDamage, (write, damage) =>
        damage.status === "ok" ? write : damage
      )
      const checkDisk = Effect.tryPromise(() => statfs(storage.directory)).pipe(
        Effect.map(({ bavail, blocks, bsize }) => judgeDisk(bavail * bsize, blocks * bsize)),
        Effect.orElseSucceed(() => degraded("the data directory can't be read"))
      )
      const checkMemory = Effect.sync(() => {
        const heap = getHeapStatistics()
        return judgeMemory(heap.used_heap_size, heap.heap_size_limit)
      })
      const ready = Effect.gen(function* () {
        const checks = { storage: yield* checkStorage, memory: yield* checkMemory, disk: yield* checkDisk }
        const timestamp = yield* nowIso
        return Object.values(checks).every(({ status }) => status === "ok")
          ? { status: "ready" as const, checks, timestamp }
          : { status: "degraded" as const, checks, timestamp }
      })

      return Health.of({
        live: Effect.map(nowIso, (timestamp) => ({ status: "ok", timestamp })),
        // Anybody may ask, so the answer is kept for a moment: a probe must not become a load.
        ready: yield* Effect.cachedWithTTL(ready, Duration.seconds(1))
      })
    })
  )
}
