import { Effect } from "effect"
import { columnReader } from "../../storage/JsonColumn.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { Hook, type HookEvent } from "./definitions/Hook.ts"

const hookOf = columnReader(Hook, "hooks")

const hooksOf = (found: ReadonlyArray<{ readonly id: string; readonly json: string }>): ReadonlyArray<Hook> =>
  found.map(({ id, json }) => hookOf(json, id))

/** All hooks, in the order of their creation. */
export const all: Effect.Effect<ReadonlyArray<Hook>, never, Sql> = Effect.map(
  rows<{ id: string; json: string }>(sql`SELECT id, json FROM hooks ORDER BY seq`),
  hooksOf
)

/** How many hooks there are. */
export const count: Effect.Effect<number, never, Sql> = Effect.map(
  firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM hooks`),
  (found) => found?.n ?? 0
)

/** The hook with an id. */
export const find = (id: string): Effect.Effect<Hook | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ id: string; json: string }>(sql`SELECT id, json FROM hooks WHERE id = ${id}`),
    (found) => found && hookOf(found.json, found.id)
  )

/** The hooks that wait for an event now. */
export const waitingFor = (event: HookEvent): Effect.Effect<ReadonlyArray<Hook>, never, Sql> =>
  Effect.map(
    rows<{ id: string; json: string }>(
      sql`SELECT id, json FROM hooks WHERE event = ${event} AND enabled = 1 ORDER BY seq`
    ),
    hooksOf
  )

/** The hooks that waited for an event when it happened: those that were made, or switched on, before it. */
export const waitedFor = (event: HookEvent, at: number): Effect.Effect<ReadonlyArray<Hook>, never, Sql> =>
  Effect.map(
    rows<{ id: string; json: string }>(
      sql`SELECT id, json FROM hooks WHERE event = ${event} AND enabled = 1 AND since < ${at} ORDER BY seq`
    ),
    hooksOf
  )

/** Adds a hook. It waits for events after `since`, a cursor of the outbox. */
export const insert = (hook: Hook, since: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO hooks (id, event, enabled, since, json)
      VALUES (${hook.id}, ${hook.event}, ${hook.enabled ? 1 : 0}, ${since}, ${JSON.stringify(hook)})`
  )

/** Writes a changed hook. */
export const update = (hook: Hook, since: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE hooks SET event = ${hook.event}, enabled = ${hook.enabled ? 1 : 0}, json = ${JSON.stringify(hook)},
        since = ${since}
      WHERE id = ${hook.id}`
  )

/** Removes a hook. */
export const remove = (id: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM hooks WHERE id = ${id}`)
