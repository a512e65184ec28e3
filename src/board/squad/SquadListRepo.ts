import { Effect } from "effect"
import { iso } from "../../kernel/Time.ts"
import { type Query, rows, type Sql, sql } from "../../storage/Sql.ts"
import type { Part } from "../../storage/Walk.ts"
import { fold } from "./Fold.ts"
import type { SquadFilter, SquadMessage } from "./SquadMessage.ts"
import { messagesOf, select } from "./SquadRepo.ts"
import { type SquadFound, type SquadQuery, searchLimit, snippetOf } from "./SquadSearch.ts"

/** The newest messages that a filter selects, oldest first. */
export const recent = (filter: SquadFilter): Effect.Effect<ReadonlyArray<SquadMessage>, never, Sql> =>
  Effect.map(
    select((sql) => {
      const conditions = [
        ...(filter.includeSystem === true ? [] : [sql`m.system = 0`]),
        ...(filter.agent === undefined ? [] : [sql`m.agent = ${filter.agent}`]),
        ...(filter.since === undefined ? [] : [sql`m.created_at > ${filter.since}`])
      ]
      return sql`WHERE ${sql.and(conditions)} ORDER BY m.created_at DESC, m.seq DESC LIMIT ${filter.limit ?? 50}`
    }),
    (found) => messagesOf(found).toReversed()
  )

/** Where the part of this size begins that lies below a place. */
export const floor = (below: number, size: number): Query => sql`
  SELECT MIN(seq) AS "from"
  FROM (SELECT seq FROM squad_messages WHERE seq < ${below} ORDER BY seq DESC LIMIT ${size})`

/** The messages of a part, newest first, whose author or text contains the query as it is. */
export const search = (
  { limit = searchLimit, q }: SquadQuery,
  { below, from }: Part
): Effect.Effect<ReadonlyArray<SquadFound>, never, Sql> =>
  Effect.map(
    rows<{ id: string; agent: string; message: string; createdAt: number; taskId: string | null }>(
      sql`
        SELECT id, agent, message, created_at AS createdAt, task_id AS taskId FROM squad_messages
        WHERE seq >= ${from} AND seq < ${below} AND instr(search_text, ${fold(q)}) > 0
        ORDER BY seq DESC LIMIT ${limit}`
    ),
    (found) =>
      found.map(({ agent, createdAt, id, message, taskId }) => ({
        id,
        agent,
        snippet: snippetOf(message, q),
        createdAt: iso(createdAt),
        ...(taskId === null ? {} : { taskId })
      }))
  )

/** A thread from its root on, oldest first: the root and, of all that descends from it, the newest. */
export const thread = (
  rootId: string,
  limit: number
): Effect.Effect<ReadonlyArray<SquadMessage>, never, Sql> =>
  Effect.map(
    select(
      (sql) => sql`
        WHERE m.id = ${rootId} OR m.seq IN (
          SELECT seq FROM squad_messages WHERE root_id = ${rootId} AND id <> ${rootId}
          ORDER BY seq DESC LIMIT ${limit - 1})
        ORDER BY m.seq`
    ),
    messagesOf
  )
