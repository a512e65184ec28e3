import { Context, Effect, Layer, Option } from "effect"
import { now } from "../../kernel/Time.ts"
import { DatabaseDamaged } from "../../storage/place/Damage.ts"
import { Storage } from "../../storage/Storage.ts"
import * as JournalOperations from "../../storage/sqlite/JournalOperations.ts"
import { IntegrityChecks } from "./IntegrityChecks.ts"
import { reportOf } from "./Posture.ts"
import type { SqliteStorage } from "./SqliteStorage.ts"

/** How the database is stored, for those who look at the service's health. */
export interface SqliteHealthService {
  readonly report: Effect.Effect<SqliteStorage>
}

export class SqliteHealth extends Context.Tag("muster/SqliteHealth")<SqliteHealth, SqliteHealthService>() {
  static readonly layer = Layer.effect(
    SqliteHealth,
    Effect.gen(function* () {
      const storage = yield* Storage
      const checks = yield* IntegrityChecks
      return SqliteHealth.of({
        report: Effect.gen(function* () {
          // What can't be read of a damaged database is left out of the report that tells of the damage.
          const readable = <A>(read: Effect.Effect<A>) =>
            Effect.catchSomeDefect(read, (defect) =>
              defect instanceof DatabaseDamaged ? Option.some(Effect.succeed(undefined)) : Option.none()
            )
          const override = yield* readable(storage.read(JournalOperations.override))
          const last = yield* readable(checks.last)
          const finding = storage.damage.known()?.finding
          return reportOf(storage.posture, override, last, finding, yield* now)
        })
      })
    })
  )
}
