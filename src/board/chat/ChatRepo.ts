import { Effect } from "effect"
import type { Page } from "../../kernel/Paging.ts"
import { iso } from "../../kernel/Time.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { ChatMessage, ChatRole, ChatSession } from "./ChatSession.ts"

type SessionRow = Omit<ChatSession, "createdAt" | "updatedAt"> & {
  readonly createdAt: number
  readonly updatedAt: number
}

interface MessageRow {
  readonly id: string
  readonly role: ChatRole
  readonly author: string
  readonly content: string
  readonly createdAt: number
}

const sessionOf = (row: SessionRow): ChatSession => ({
  ...row,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt)
})

const messageOf = (row: MessageRow): ChatMessage => ({ ...row, createdAt: iso(row.createdAt) })

const sessionColumns = (sql: Compose) =>
  sql.unsafe(
    `id, agent, task_id AS taskId, message_count AS messageCount, created_by AS createdBy,
      created_at AS createdAt, updated_at AS updatedAt`
  )

/** The session with an id. */
export const find = (id: string): Effect.Effect<ChatSession | undefined, never, Sql> =>
  Effect.map(
    firstRow<SessionRow>((sql) => sql`SELECT ${sessionColumns(sql)} FROM chat_sessions WHERE id = ${id}`),
    (found) => found && sessionOf(found)
  )

/** The sessions in which something was said last, and how many there are; of a task if it is given. */
export const page = (
  { taskId }: { readonly taskId?: string | undefined },
  limit: number
): Effect.Effect<Page<ChatSession>, never, Sql> => {
  const where = (sql: Compose) => sql.and(taskId === undefined ? [] : [sql`task_id = ${taskId}`])
  return Effect.zipWith(
    rows<SessionRow>(
      (sql) => sql`
        SELECT ${sessionColumns(sql)} FROM chat_sessions WHERE ${where(sql)}
        ORDER BY updated_at DESC, seq DESC LIMIT ${limit}`
    ),
    firstRow<{ n: number }>((sql) => sql`SELECT COUNT(*) AS n FROM chat_sessions WHERE ${where(sql)}`),
    (found, count) => ({ items: found.map(sessionOf), total: count?.n ?? 0 })
  )
}

/** Adds a session. */
export const insert = (session: ChatSession): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO chat_sessions (id, agent, task_id, message_count, created_by, created_at, updated_at)
      VALUES (${session.id}, ${session.agent}, ${session.taskId}, 0, ${session.createdBy},
        ${Date.parse(session.createdAt)}, ${Date.parse(session.updatedAt)})`
  )

/** Adds a message to a session. */
export const say = (sessionId: string, message: ChatMessage): Effect.Effect<void, never, Sql> => {
  const at = Date.parse(message.createdAt)
  return Effect.zipRight(
    run(
      sql`
        INSERT INTO chat_messages (id, session_id, role, author, content, created_at)
        VALUES (${message.id}, ${sessionId}, ${message.role}, ${message.author}, ${message.content}, ${at})`
    ),
    run(
      sql`
        UPDATE chat_sessions SET message_count = message_count + 1, updated_at = ${at} WHERE id = ${sessionId}`
    )
  )
}

/** The message with an id, and the session that it belongs to. */
export const findMessage = (
  id: string
): Effect.Effect<{ readonly sessionId: string; readonly message: ChatMessage } | undefined, never, Sql> =>
  Effect.map(
    firstRow<MessageRow & { readonly sessionId: string }>(
      sql`
        SELECT session_id AS sessionId, id, role, author, content, created_at AS createdAt
        FROM chat_messages WHERE id = ${id}`
    ),
    (found) => {
      if (found === undefined) return undefined
      const { sessionId, ...message } = found
      return { sessionId, message: messageOf(message) }
    }
  )

/** The newest messages of a session before one of them, oldest first. */
export const history = (
  sessionId: string,
  limit: number,
  before?: string
): Effect.Effect<ReadonlyArray<ChatMessage>, never, Sql> =>
  Effect.map(
    rows<MessageRow>(
      sql`
        SELECT id, role, author, content, created_at AS createdAt FROM chat_messages
        WHERE session_id = ${sessionId}
          AND seq < COALESCE((SELECT seq FROM chat_messages WHERE id = ${before ?? null}), ${Number.MAX_SAFE_INTEGER})
        ORDER BY seq DESC LIMIT ${limit}`
    ),
    (found) => found.map(messageOf).reverse()
  )

/** Removes a session with its messages. */
export const remove = (id: string): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    run(sql`DELETE FROM chat_messages WHERE session_id = ${id}`),
    run(sql`DELETE FROM chat_sessions WHERE id = ${id}`)
  )

/** Sessions about a task stay when it goes, and are about none. */
export const forgetTask = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE chat_sessions SET task_id = NULL WHERE task_id = ${taskId}`)
