import { Effect } from "effect"
import { firstRow, rows, type Sql, sql } from "../../../storage/Sql.ts"
import type { TrackerPayload } from "../profiles/Payload.ts"

/** The number of the item that was made with a marker. */
export const findByMarker = (marker: string): Effect.Effect<number | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ number: number }>(sql`SELECT number FROM tracker_local_items WHERE marker = ${marker}`),
    (found) => found?.number
  )

/** Adds an item with the next number of its project, and gives the number. */
export const insert = (
  project: string,
  marker: string,
  payload: TrackerPayload,
  at: number
): Effect.Effect<number, never, Sql> =>
  Effect.map(
    rows<{ number: number }>(
      sql`
        INSERT INTO tracker_local_items (project, number, marker, json, created_at)
        SELECT ${project}, COALESCE(MAX(number), 0) + 1, ${marker}, ${JSON.stringify(payload)}, ${at}
        FROM tracker_local_items WHERE project = ${project} RETURNING number`
    ),
    ([inserted]) => inserted?.number ?? 0
  )
