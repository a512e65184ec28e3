import { Effect } from "effect"
import { rows, type Sql, sql } from "../../storage/Sql.ts"

/** How an event is known: as a message of ours, as one that was brought in, as a note, or as a reply that waits. */
export type Acquaintance = "sent" | "received" | "noted" | "pending"

interface Known {
  readonly eventId: string
  readonly how: Acquaintance
}

/** Which of these events are known in a community, in one query. It runs before any signature is checked. */
export const known = (
  community: string,
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, Acquaintance>, never, Sql> =>
  Effect.map(
    rows<Known>(
      sql`
        WITH asked (id) AS (SELECT value FROM json_each(${JSON.stringify(ids)}))
        SELECT event_id AS eventId, CASE direction WHEN 'outbound' THEN 'sent' ELSE 'received' END AS how
          FROM asked CROSS JOIN communication_threads ON community = ${community} AND event_id = id
        UNION ALL SELECT event_id, 'noted' FROM asked CROSS JOIN relay_notes
          ON community = ${community} AND event_id = id
        UNION ALL SELECT event_id, 'pending' FROM relay_pending
          WHERE community = ${community} AND event_id IN (SELECT id FROM asked)`
    ),
    (found) => new Map(found.map(({ eventId, how }) => [eventId, how]))
  )
