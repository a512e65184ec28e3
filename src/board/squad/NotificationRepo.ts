import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { iso } from "../../kernel/Time.ts"
import { type Compose, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { fold } from "./Fold.ts"
import { linkTo, type Notification, type NotificationFilter } from "./Notification.ts"

interface NotificationRow {
  readonly id: string
  readonly actor: string
  readonly messageId: string
  readonly agent: string
  readonly taskId: string | null
  readonly read: number
  readonly createdAt: number
}

const notificationOf = (row: NotificationRow): Notification => ({
  id: row.id,
  actor: row.actor,
  kind: "mention",
  messageId: row.messageId,
  link: linkTo(row.messageId),
  agent: row.agent,
  ...(row.taskId === null ? {} : { taskId: row.taskId }),
  read: row.read === 1,
  createdAt: iso(row.createdAt)
})

/** Notifies somebody of a message that mentions them. */
export const insert = (notification: {
  readonly id: string
  readonly actor: string
  readonly messageId: string
}): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO notifications (id, actor, actor_key, kind, message_id, read)
      VALUES (${notification.id}, ${notification.actor}, ${fold(notification.actor)}, 'mention',
        ${notification.messageId}, 0)`
  )

const select = (tail: (sql: Compose) => Fragment): Effect.Effect<ReadonlyArray<Notification>, never, Sql> =>
  Effect.map(
    rows<NotificationRow>(
      (sql) => sql`
        SELECT n.id, n.actor, n.message_id AS messageId, m.agent, m.task_id AS taskId, n.read,
          m.created_at AS createdAt
        FROM notifications n JOIN squad_messages m ON m.id = n.message_id ${tail(sql)}`
    ),
    (found) => found.map(notificationOf)
  )

/** The notifications of somebody, newest first. Capital and small letters of the name are alike. */
export const list = ({
  actor,
  limit = 50,
  unread = false
}: NotificationFilter): Effect.Effect<ReadonlyArray<Notification>, never, Sql> =>
  select((sql) => {
    const wanted = unread ? sql`n.read = 0` : sql`TRUE`
    return sql`WHERE n.actor_key = ${fold(actor)} AND ${wanted} ORDER BY n.seq DESC LIMIT ${limit}`
  })

/** The notification with an id. */
export const find = (id: string): Effect.Effect<Notification | undefined, never, Sql> =>
  Effect.map(
    select((sql) => sql`WHERE n.id = ${id}`),
    (found) => found[0]
  )

/** Marks a notification as read. */
export const markRead = (id: string): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE notifications SET read = 1 WHERE id = ${id}`)
