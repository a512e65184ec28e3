import { Effect } from "effect"
import { digest } from "../kernel/Digest.ts"
import { parseStored } from "../kernel/Json.ts"
import { OperationReused } from "../kernel/OperationReused.ts"
import { now } from "../kernel/Time.ts"
import type { Past } from "./Retention.ts"
import { firstRow, rows, run, type Sql, sql } from "./Sql.ts"

/** What an operation answered, and whether this is the answer of an earlier run. */
export interface Outcome<A> {
  readonly value: A
  readonly replayed: boolean
}

/**
 * Runs a unit once for a key. The first run stores its answer in the same transaction as its effect; a later run with
 * the same input gets that answer back, across restarts too; a later run with another input fails. A unit that fails
 * stores nothing, so its key can be used again. An answer is kept for a while (retention/OldOperations.ts): a key that
 * must count for good stands where what it began is kept.
 */
export const once =
  (key: { readonly scope: string; readonly id: string; readonly input: unknown }) =>
  <A, E, R>(unit: Effect.Effect<A, E, R>): Effect.Effect<Outcome<A>, E | OperationReused, R | Sql> =>
    Effect.gen(function* () {
      const storedKey = `${key.scope}:${key.id}`
      const fingerprint = digest(key.input)
      const known = yield* firstRow<{ fingerprint: string; response: string }>(
        sql`SELECT fingerprint, response FROM idempotency WHERE key = ${storedKey}`
      )
      if (known !== undefined) {
        if (known.fingerprint !== fingerprint) return yield* new OperationReused({ operationId: key.id })
        return { value: parseStored<A>(known.response), replayed: true }
      }
      const value = yield* unit
      const at = yield* now
      yield* run(
        sql`
          INSERT INTO idempotency (key, fingerprint, response, created_at)
          VALUES (${storedKey}, ${fingerprint}, ${JSON.stringify(value)}, ${at})`
      )
      return { value, replayed: false }
    })

/** Takes away the oldest answers that lie in the past, and gives how many those were. */
export const forgetOld = ({ before }: Past, size: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    rows(
      sql`
        DELETE FROM idempotency WHERE key IN (
          SELECT key FROM idempotency WHERE created_at < ${before} ORDER BY created_at LIMIT ${size})
        RETURNING key`
    ),
    ({ length }) => length
  )
