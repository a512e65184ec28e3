import { Effect } from "effect"
import type { CircuitOverride } from "../../kernel/outbound/Circuit.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { LastReset } from "./CircuitReport.ts"

/** An override as its row holds it. */
export interface StoredOverride extends CircuitOverride {
  readonly key: string
}

/** The overrides that are in force. */
export const overrides = (at: number): Effect.Effect<ReadonlyArray<StoredOverride>, never, Sql> =>
  rows<StoredOverride>(
    sql`SELECT key, mode, reason, until, actor AS "by" FROM circuit_overrides WHERE until > ${at} ORDER BY key`
  )

/** How many circuits other than this one are overridden. */
export const countOthers = (key: string, at: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ n: number }>(
      sql`SELECT COUNT(*) AS n FROM circuit_overrides WHERE key <> ${key} AND until > ${at}`
    ),
    (row) => row?.n ?? 0
  )

/** Sets the override of a circuit in place of the one before, and drops those that have expired. */
export const setOverride = (
  key: string,
  { by, mode, reason, until }: CircuitOverride,
  at: number
): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    run(sql`DELETE FROM circuit_overrides WHERE until <= ${at}`),
    run(
      sql`
        INSERT INTO circuit_overrides (key, mode, reason, until, actor)
        VALUES (${key}, ${mode}, ${reason}, ${until}, ${by})
        ON CONFLICT (key) DO UPDATE SET mode = excluded.mode, reason = excluded.reason, until = excluded.until,
          actor = excluded.actor`
    )
  )

/** Clears the override of a circuit; false when none was in force. */
export const clearOverride = (key: string, at: number): Effect.Effect<boolean, never, Sql> =>
  Effect.map(
    rows<{ until: number }>(sql`DELETE FROM circuit_overrides WHERE key = ${key} RETURNING until`),
    (cleared) => cleared.some(({ until }) => until > at)
  )

/** Notes a reset. */
export const noteReset = (key: string, { actor, at, reason }: LastReset): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO circuit_resets (key, reason, at, actor) VALUES (${key}, ${reason}, ${at}, ${actor})
      ON CONFLICT (key) DO UPDATE SET reason = excluded.reason, at = excluded.at, actor = excluded.actor`
  )

/** The last reset of each circuit that was ever reset. */
export const resets: Effect.Effect<ReadonlyMap<string, LastReset>, never, Sql> = Effect.map(
  rows<LastReset & { readonly key: string }>(sql`SELECT key, reason, at, actor FROM circuit_resets`),
  (found) => new Map(found.map(({ key, ...reset }) => [key, reset]))
)
