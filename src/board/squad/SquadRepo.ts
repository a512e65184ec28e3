import type { Fragment } from "@effect/sql/Statement"
import { Effect, Schema } from "effect"
import { iso } from "../../kernel/Time.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import { type Compose, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { External } from "./External.ts"
import { Mention, Reaction, type SquadMessage, type SystemEventKind } from "./SquadMessage.ts"
import { searchText } from "./SquadSearch.ts"

/** A message as storage holds it: its place among all of them, and the root of its thread. */
export interface SquadRow {
  readonly seq: number
  readonly rootId: string
  readonly message: SquadMessage
}

interface MessageRow {
  readonly seq: number
  readonly id: string
  readonly agent: string
  readonly message: string
  readonly system: number
  readonly kind: SystemEventKind | null
  readonly model: string | null
  readonly tags: string
  readonly mentions: string
  readonly replyToId: string | null
  readonly rootId: string
  readonly taskId: string | null
  readonly runId: string | null
  readonly external: string | null
  readonly pinned: number
  readonly decision: number
  readonly createdBy: string
  readonly createdAt: number
  readonly reactions: string
}

/** Messages with their reactions; `tail` says which, and in what order. */
export const select = (
  tail: (sql: Compose) => Fragment
): Effect.Effect<ReadonlyArray<SquadRow>, never, Sql> =>
  Effect.map(
    rows<MessageRow>(
      (sql) => sql`
        SELECT m.seq, m.id, m.agent, m.message, m.system, m.kind, m.model, m.tags, m.mentions,
          m.reply_to_id AS replyToId, m.root_id AS rootId, m.task_id AS taskId, m.run_id AS runId, m.external,
          m.pinned, m.decision, m.created_by AS createdBy, m.created_at AS createdAt,
          (SELECT json_group_array(json_object('actor', r.actor, 'reaction', r.reaction))
            FROM (SELECT actor, reaction FROM squad_reactions WHERE message_id = m.id ORDER BY seq) r) AS reactions
        FROM squad_messages m ${tail(sql)}`
    ),
    (found) => found.map(rowOf)
  )

const tagsOf = columnReader(Schema.Array(Schema.String), "squad_messages", "tags")
const mentionsOf = columnReader(Schema.Array(Mention), "squad_messages", "mentions")
const externalOf = columnReader(External, "squad_messages", "external")
const reactionsOf = columnReader(Schema.Array(Reaction), "squad_reactions", "reactions")

const rowOf = (row: MessageRow): SquadRow => ({
  seq: row.seq,
  rootId: row.rootId,
  message: {
    id: row.id,
    agent: row.agent,
    message: row.message,
    system: row.system === 1,
    ...(row.kind === null ? {} : { kind: row.kind }),
    ...(row.model === null ? {} : { model: row.model }),
    tags: tagsOf(row.tags, row.id),
    ...(row.replyToId === null ? {} : { replyToId: row.replyToId }),
    mentions: mentionsOf(row.mentions, row.id),
    ...(row.taskId === null ? {} : { taskId: row.taskId }),
    ...(row.runId === null ? {} : { runId: row.runId }),
    ...(row.external === null ? {} : { external: externalOf(row.external, row.id) }),
    pinned: row.pinned === 1,
    decision: row.decision === 1,
    reactions: reactionsOf(row.reactions, row.id),
    createdBy: row.createdBy,
    createdAt: iso(row.createdAt),
    timestamp: iso(row.createdAt)
  }
})

/** The messages of rows. */
export const messagesOf = (found: ReadonlyArray<SquadRow>): ReadonlyArray<SquadMessage> =>
  found.map(({ message }) => message)

/** The message with an id. */
export const find = (id: string): Effect.Effect<SquadRow | undefined, never, Sql> =>
  Effect.map(
    select((sql) => sql`WHERE m.id = ${id}`),
    (found) => found[0]
  )

/** The roots of the threads of these messages; unknown ones are left out. */
export const roots = (
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<{ readonly id: string; readonly rootId: string }>, never, Sql> =>
  rows(
    sql`
      SELECT id, root_id AS rootId FROM squad_messages
      WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
  )

/** Adds a message, said at a time in milliseconds since the epoch, to the thread of a root. */
export const insert = (
  message: SquadMessage,
  thread: { readonly rootId: string; readonly at: number }
): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO squad_messages (id, agent, message, search_text, system, kind, model, tags, mentions, reply_to_id,
        root_id, task_id, run_id, external, pinned, decision, created_by, created_at)
      VALUES (${message.id}, ${message.agent}, ${message.message}, ${searchText(message.agent, message.message)},
        ${message.system ? 1 : 0}, ${message.kind ?? null}, ${message.model ?? null},
        ${JSON.stringify(message.tags)}, ${JSON.stringify(message.mentions)}, ${message.replyToId ?? null},
        ${thread.rootId}, ${message.taskId ?? null}, ${message.runId ?? null},
        ${message.external === undefined ? null : JSON.stringify(message.external)},
        ${message.pinned ? 1 : 0}, ${message.decision ? 1 : 0}, ${message.createdBy}, ${thread.at})`
  )

/** Sets the marks of a message. */
export const setMarks = ({ decision, id, pinned }: SquadMessage): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE squad_messages SET pinned = ${pinned ? 1 : 0}, decision = ${decision ? 1 : 0} WHERE id = ${id}`
  )

/** Sets what is known of a message at its source. */
export const setExternal = (id: string, external: External): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE squad_messages SET external = ${JSON.stringify(external)} WHERE id = ${id}`)

/** Adds a reaction. */
export const addReaction = (
  messageId: string,
  { actor, reaction }: Reaction,
  at: number
): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO squad_reactions (message_id, reaction, actor, created_at)
      VALUES (${messageId}, ${reaction}, ${actor}, ${at})`
  )
