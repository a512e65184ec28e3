import { Effect } from "effect"
import { changeLimit } from "../../board/squad/External.ts"
import { rows, run, type Sql, sql } from "../../storage/Sql.ts"

/** An event that is no message: an edit, a deletion, or one that was ignored. Its content is not kept. */
export interface Note {
  readonly eventId: string
  readonly kind: number
  readonly author: string
  readonly targetId: string | null
  /** Seconds since the epoch. */
  readonly createdAt: number
}

/** Notes an event, so that it is known when it comes again. */
export const insert = (community: string, note: Note): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO relay_notes (community, event_id, kind, author, target_event_id, created_at)
      VALUES (${community}, ${note.eventId}, ${note.kind}, ${note.author}, ${note.targetId}, ${note.createdAt})
      ON CONFLICT (community, event_id) DO NOTHING`
  )

/** Which of these events were edited or deleted. */
export const noted = (
  community: string,
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, never, Sql> =>
  Effect.map(
    rows<{ id: string }>(
      sql`
        SELECT DISTINCT target_event_id AS id FROM relay_notes
        WHERE community = ${community} AND target_event_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
    ),
    (found) => found.map(({ id }) => id)
  )

/** What was said about an event: its edits or its deletions, the newest ones, oldest first. */
export const about = (
  community: string,
  targetId: string,
  kinds: readonly [number, number?]
): Effect.Effect<ReadonlyArray<Note>, never, Sql> =>
  Effect.map(
    rows<Note>(
      sql`
        SELECT event_id AS eventId, kind, author, target_event_id AS targetId, created_at AS createdAt
        FROM relay_notes
        WHERE community = ${community} AND target_event_id = ${targetId} AND kind IN (${kinds[0]}, ${kinds[1] ?? -1})
        ORDER BY created_at DESC, event_id DESC LIMIT ${changeLimit}`
    ),
    (found) => [...found].reverse()
  )
