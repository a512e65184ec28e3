import { Effect } from "effect"
import { iso } from "../../kernel/Time.ts"
import { rows, type Sql, sql } from "../../storage/Sql.ts"
import { fold } from "./Fold.ts"
import type { SquadFilter, SquadMessage } from "./SquadMessage.ts"
import { messagesOf, select } from "./SquadRepo.ts"
import { type SquadFound, type SquadQuery, snippetOf } from "./SquadSearch.ts"

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

/** The messages, newest first, whose author or text contains the query; its wildcards are letters like others. */
export const search = ({ limit = 20, q }: SquadQuery): Effect.Effect<ReadonlyArray<SquadFound>, never, Sql> =>
  Effect.map(
    rows<{ id: string; agent: string; message: string; createdAt: number; taskId: string | null }>(
      sql`
        SELECT id, agent, message, created_at AS createdAt, task_id AS taskId FROM squad_messages
        WHERE search_text LIKE ${`%${fold(q).replace(/[!%_]/g, "!$&")}%`} ESCAPE '!'
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
