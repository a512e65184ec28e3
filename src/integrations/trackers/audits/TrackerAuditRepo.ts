import { Effect } from "effect"
import type { Page } from "../../../kernel/Paging.ts"
import { iso } from "../../../kernel/Time.ts"
import { columnReader } from "../../../storage/JsonColumn.ts"
import { firstRow, rows, run, type Sql, sql } from "../../../storage/Sql.ts"
import { TrackerAudit } from "./TrackerAudit.ts"

const auditOf = columnReader(TrackerAudit, "tracker_audits")

/** How many entries are kept. */
const historyLimit = 10_000

/** Appends an entry, and forgets the oldest ones beyond the limit. */
export const append = (event: Omit<TrackerAudit, "timestamp">, at: number): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const audit: TrackerAudit = { ...event, timestamp: iso(at) }
    yield* run(
      sql`
        INSERT INTO tracker_audits (id, at, action, json)
        VALUES (${audit.id}, ${at}, ${audit.action}, ${JSON.stringify(audit)})`
    )
    yield* run(
      sql`DELETE FROM tracker_audits WHERE seq <= (SELECT MAX(seq) FROM tracker_audits) - ${historyLimit}`
    )
  })

/** A page of entries, newest first. */
export const newest = (limit: number, offset: number): Effect.Effect<Page<TrackerAudit>, never, Sql> =>
  Effect.zipWith(
    rows<{ id: string; json: string }>(
      sql`SELECT id, json FROM tracker_audits ORDER BY seq DESC LIMIT ${limit} OFFSET ${offset}`
    ),
    firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM tracker_audits`),
    (found, count) => ({
      items: found.map(({ id, json }) => auditOf(json, id)),
      total: count?.n ?? 0
    })
  )
