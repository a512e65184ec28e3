import { Effect, Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import { firstRow, run, type Sql, sql } from "../../storage/Sql.ts"
import { JournalMode, JournalOverride } from "../../storage/sqlite/JournalMode.ts"

/** A preview that can be applied once. Times are milliseconds since the epoch. */
export interface Preview {
  readonly id: string
  readonly tokenHash: string
  readonly expiresAt: number
  readonly used: boolean
  readonly targetMode: JournalMode
  readonly override?: Omit<JournalOverride, "operationId">
}

/** What of a preview stands in no column of its own. */
const Rest = Schema.Struct({
  targetMode: JournalMode,
  override: optional(JournalOverride.omit("operationId"))
})

const restOf = columnReader(Rest, "journal_previews")

/** The most previews that are kept. */
const previewLimit = 20

/** Adds a preview; the oldest ones make room. */
export const insert = ({
  expiresAt,
  id,
  override,
  targetMode,
  tokenHash
}: Preview): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    run(
      sql`
        INSERT INTO journal_previews (id, token_hash, expires_at, used, json)
        VALUES (${id}, ${tokenHash}, ${expiresAt}, 0, ${JSON.stringify({ targetMode, override })})`
    ),
    run(
      sql`
        DELETE FROM journal_previews WHERE id NOT IN (
          SELECT id FROM journal_previews ORDER BY expires_at DESC LIMIT ${previewLimit})`
    )
  )

/** One preview. */
export const find = (id: string): Effect.Effect<Preview | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ tokenHash: string; expiresAt: number; used: number; json: string }>(
      sql`
        SELECT token_hash AS tokenHash, expires_at AS expiresAt, used, json FROM journal_previews WHERE id = ${id}`
    ),
    (row) =>
      row === undefined
        ? undefined
        : {
            id,
            tokenHash: row.tokenHash,
            expiresAt: row.expiresAt,
            used: row.used === 1,
            ...restOf(row.json, id)
          }
  )

/** Notes that a preview was applied. */
export const markUsed = (id: string): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE journal_previews SET used = 1 WHERE id = ${id}`)
