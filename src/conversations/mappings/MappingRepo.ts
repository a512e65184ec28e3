import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { iso } from "../../kernel/Time.ts"
import { type Compose, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Cursor, Mapping, StoredMapping } from "./Mapping.ts"

interface MappingRow {
  readonly id: string
  readonly adapterId: string
  readonly channelId: string
  readonly actor: string
  readonly enabled: number
  readonly cursorAt: number | null
  readonly cursorId: string | null
  readonly confirmedAt: number
  readonly createdAt: number
  readonly updatedAt: number
}

const select = (tail: (sql: Compose) => Fragment): Effect.Effect<ReadonlyArray<StoredMapping>, never, Sql> =>
  Effect.map(
    rows<MappingRow>(
      (sql) => sql`
        SELECT id, adapter_id AS adapterId, channel_id AS channelId, actor, enabled, cursor_at AS cursorAt,
          cursor_id AS cursorId, confirmed_at AS confirmedAt, created_at AS createdAt, updated_at AS updatedAt
        FROM relay_mappings ${tail(sql)}`
    ),
    (found) =>
      found.map(({ confirmedAt, createdAt, cursorAt, cursorId, enabled, updatedAt, ...row }) => ({
        ...row,
        target: { kind: "squad" },
        enabled: enabled === 1,
        cursor: { at: cursorAt, eventId: cursorId, confirmedAt },
        createdAt: iso(createdAt),
        updatedAt: iso(updatedAt)
      }))
  )

const first = (tail: (sql: Compose) => Fragment): Effect.Effect<StoredMapping | undefined, never, Sql> =>
  Effect.map(select(tail), ([found]) => found)

/** All mappings of an adapter, oldest first. */
export const ofAdapter = (adapterId: string) =>
  select((sql) => sql`WHERE adapter_id = ${adapterId} ORDER BY seq`)

/** The mapping of a channel. */
export const ofChannel = (adapterId: string, channelId: string) =>
  first((sql) => sql`WHERE adapter_id = ${adapterId} AND channel_id = ${channelId}`)

/** The mapping with an id. */
export const find = (id: string) => first((sql) => sql`WHERE id = ${id}`)

/** The mapping of an adapter that is switched on; there is one at the most. */
export const enabledOf = (adapterId: string) =>
  first((sql) => sql`WHERE adapter_id = ${adapterId} AND enabled = 1`)

/** Adds a mapping; its channel is read from a time on, in seconds. */
export const insert = (mapping: Mapping, from: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO relay_mappings (id, adapter_id, channel_id, actor, enabled, confirmed_at, created_at, updated_at)
      VALUES (${mapping.id}, ${mapping.adapterId}, ${mapping.channelId}, ${mapping.actor},
        ${mapping.enabled ? 1 : 0}, ${from}, ${Date.parse(mapping.createdAt)}, ${Date.parse(mapping.updatedAt)})`
  )

/** Writes a changed mapping. How far it was read stays. */
export const update = ({ actor, enabled, id, updatedAt }: Mapping): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE relay_mappings SET actor = ${actor}, enabled = ${enabled ? 1 : 0}, updated_at = ${Date.parse(updatedAt)}
      WHERE id = ${id}`
  )

/** Forgets a mapping, and how far it was read. */
export const remove = (id: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM relay_mappings WHERE id = ${id}`)

/** Moves the cursor of a mapping. */
export const moveCursor = (
  id: string,
  { at, confirmedAt, eventId }: Cursor
): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE relay_mappings SET cursor_at = ${at}, cursor_id = ${eventId}, confirmed_at = ${confirmedAt}
      WHERE id = ${id}`
  )
