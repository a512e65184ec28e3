import { Effect } from "effect"
import { iso } from "../../kernel/Time.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { Adapter } from "./Adapter.ts"

interface AdapterRow {
  readonly id: string
  readonly json: string
}

const read = columnReader(Adapter, "communication_adapters")
const adapterOf = ({ id, json }: AdapterRow): Adapter => read(json, id)

/** All adapters, by their ids. */
export const all: Effect.Effect<ReadonlyArray<Adapter>, never, Sql> = Effect.map(
  rows<AdapterRow>(sql`SELECT id, json FROM communication_adapters ORDER BY id`),
  (found) => found.map(adapterOf)
)

/** The adapter with an id. */
export const find = (id: string): Effect.Effect<Adapter | undefined, never, Sql> =>
  Effect.map(
    firstRow<AdapterRow>(sql`SELECT id, json FROM communication_adapters WHERE id = ${id}`),
    (found) => found && adapterOf(found)
  )

/** How many adapters there are. */
export const count: Effect.Effect<number, never, Sql> = Effect.map(
  firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM communication_adapters`),
  (found) => found?.n ?? 0
)

/** Stores a new adapter, or replaces the stored one. */
export const put = (adapter: Adapter): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO communication_adapters (id, kind, json, created_at, updated_at)
      VALUES (${adapter.id}, ${adapter.kind}, ${JSON.stringify(adapter)}, ${Date.parse(adapter.createdAt)},
        ${Date.parse(adapter.updatedAt)})
      ON CONFLICT (id) DO UPDATE SET json = excluded.json, updated_at = excluded.updated_at`
  )

/** Forgets an adapter. */
export const remove = (id: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM communication_adapters WHERE id = ${id}`)

/** The adapter with an id, switched off; undefined when there is none. */
export const disable = (id: string, atMs: number): Effect.Effect<Adapter | undefined, never, Sql> =>
  Effect.gen(function* () {
    const adapter = yield* find(id)
    if (adapter === undefined || !adapter.enabled) return adapter
    const disabled: Adapter = { ...adapter, enabled: false, updatedAt: iso(atMs) }
    yield* put(disabled)
    return disabled
  })
