import { Context, Effect, Layer } from "effect"
import { now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import * as JournalRepo from "../../storage/sqlite/JournalRepo.ts"
import { IntegrityChecks } from "./IntegrityChecks.ts"
import { reportOf } from "./Posture.ts"
import type { SqliteStorage } from "./SqliteStorage.ts"

/** How the database is stored, for those who look at the service's health. */
export class SqliteHealth extends Context.Tag("muster/SqliteHealth")<
  SqliteHealth,
  { readonly report: Effect.Effect<SqliteStorage> }
>() {
  static readonly layer = Layer.effect(
    SqliteHealth,
    Effect.gen(function* () {
      const storage = yield* Storage
      const checks = yield* IntegrityChecks
      return SqliteHealth.of({
        report: Effect.gen(function* () {
          const override = yield* storage.read(JournalRepo.override)
          return reportOf(storage.posture, override, yield* checks.last, yield* now)
        })
      })
    })
  )
}
