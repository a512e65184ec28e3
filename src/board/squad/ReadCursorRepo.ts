import { Effect } from "effect"
import { type Compose, firstRow, run, type Sql, sql } from "../../storage/Sql.ts"
import type { SquadMessage } from "./SquadMessage.ts"
import { messagesOf, select } from "./SquadRepo.ts"

/** What others said after the place up to which an actor has read; events of the service don't count. */
const unreadBy = (sql: Compose, actor: string) => sql`
  m.seq > COALESCE((SELECT seq FROM squad_reads WHERE actor = ${actor}), 0)
  AND m.system = 0 AND m.agent <> ${actor}`

/** What an actor has not read yet, oldest first. */
export const unread = (
  actor: string,
  limit: number
): Effect.Effect<ReadonlyArray<SquadMessage>, never, Sql> =>
  Effect.map(
    select((sql) => sql`WHERE ${unreadBy(sql, actor)} ORDER BY m.seq LIMIT ${limit}`),
    messagesOf
  )

/** How much an actor has not read yet. */
export const unreadCount = (actor: string): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ n: number }>(
      (sql) => sql`SELECT COUNT(*) AS n FROM squad_messages m WHERE ${unreadBy(sql, actor)}`
    ),
    (found) => found?.n ?? 0
  )

/** The message up to which an actor has read. */
export const find = (
  actor: string
): Effect.Effect<{ readonly seq: number; readonly messageId: string } | undefined, never, Sql> =>
  firstRow(
    sql`
      SELECT r.seq, m.id AS messageId FROM squad_reads r JOIN squad_messages m ON m.seq = r.seq
      WHERE r.actor = ${actor}`
  )

/** Moves the cursor of an actor to a place that lies beyond it. */
export const advance = (actor: string, seq: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO squad_reads (actor, seq) VALUES (${actor}, ${seq})
      ON CONFLICT (actor) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > squad_reads.seq`
  )
