import { Context, Duration, Effect, Layer, Ref } from "effect"
import { now, nowIso } from "../../kernel/Time.ts"
import * as Worker from "../../kernel/Worker.ts"
import { singleton } from "../../storage/Singleton.ts"
import { Storage } from "../../storage/Storage.ts"
import { quickCheck } from "./QuickCheck.ts"
import { IntegrityCheck } from "./SqliteStorage.ts"

const stored = singleton("integrity-check", IntegrityCheck)

/** How often the clock is looked at, and how often the database is checked. */
const nap = Duration.minutes(1)
const period = Duration.hours(24)

/**
 * Looks for damage in the database. In WAL a reader holds nobody up, so a check runs soon after the start and once a
 * day. In delete mode it would hold up every write: there the check waits for somebody to go back to WAL.
 */
export interface IntegrityChecksService {
  /** What the last check found; undefined before the first one. */
  readonly last: Effect.Effect<IntegrityCheck | undefined>
  /** Checks the database now. */
  readonly check: Effect.Effect<IntegrityCheck | undefined>
}

export class IntegrityChecks extends Context.Tag("muster/IntegrityChecks")<
  IntegrityChecks,
  IntegrityChecksService
>() {
  static readonly layer = Layer.scoped(
    IntegrityChecks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const { filename, journalMode } = storage.posture
      // Nothing is written into a database that is damaged: that is remembered here.
      const damaged = yield* Ref.make<IntegrityCheck | undefined>(undefined)
      const last = Effect.flatMap(Ref.get(damaged), (found) =>
        found === undefined ? storage.read(stored.read) : Effect.succeed(found)
      )

      const check = Effect.gen(function* () {
        if (filename === undefined || journalMode !== "wal") return undefined
        const startedAt = yield* now
        const result = yield* quickCheck(filename)
        const found: IntegrityCheck = {
          checkedAt: yield* nowIso,
          result,
          durationMs: Math.max(0, (yield* now) - startedAt)
        }
        if (result === "damaged") {
          yield* Ref.set(damaged, found)
          yield* storage.damage.note("corrupt")
        } else if (storage.damage.known() === undefined) {
          yield* storage.write(stored.write(found))
        }
        return found
      })

      const round = Effect.gen(function* () {
        yield* Effect.sleep(nap)
        const before = yield* last
        const age = before === undefined ? undefined : (yield* now) - Date.parse(before.checkedAt)
        if (age === undefined || age < 0 || age >= Duration.toMillis(period)) yield* check
      })
      if (filename !== undefined && journalMode === "wal") yield* Worker.start("integrity-check", round)
      return IntegrityChecks.of({ last, check })
    })
  )
}
