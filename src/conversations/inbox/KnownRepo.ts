import { Effect } from "effect"
import { rows, type Sql, sql } from "../../storage/Sql.ts"
import { directionsOf } from "../deliveries/Units.ts"

/** How an event is known: as a message of ours, as one that was brought in, as a note, or as a reply that waits. */
export type Acquaintance = "sent" | "received" | "noted" | "pending"

interface Kept {
  readonly eventId: string
  readonly how: "noted" | "pending"
}

const kept = (community: string, ids: ReadonlyArray<string>) =>
  rows<Kept>(
    sql`
      WITH asked (id) AS (SELECT value FROM json_each(${JSON.stringify(ids)}))
      SELECT event_id AS eventId, 'noted' AS how FROM asked CROSS JOIN relay_notes
        ON community = ${community} AND event_id = id
      UNION ALL SELECT event_id, 'pending' FROM relay_pending
        WHERE community = ${community} AND event_id IN (SELECT id FROM asked)`
  )

/** Which of these events are known in a community. It is asked before any signature is checked. */
export const known = (
  community: string,
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, Acquaintance>, never, Sql> =>
  Effect.zipWith(directionsOf(community, ids), kept(community, ids), (messages, others) => {
    const how = new Map<string, Acquaintance>()
    for (const { direction, eventId } of messages)
      how.set(eventId, direction === "outbound" ? "sent" : "received")
    for (const other of others) how.set(other.eventId, other.how)
    return how
  })
