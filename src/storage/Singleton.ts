import { Effect } from "effect"
import { parseStored } from "../kernel/Json.ts"
import { now } from "../kernel/Time.ts"
import { firstRow, run, type Sql, sql } from "./Sql.ts"

/** Reads a value that exists once on the board, such as its settings; `of` looks at what stands there (`reader`). */
export const read = <A>(
  name: string,
  of: (json: string) => A = parseStored<A>
): Effect.Effect<A | undefined, never, Sql> =>
  Effect.map(firstRow<{ json: string }>(sql`SELECT json FROM singletons WHERE name = ${name}`), (row) =>
    row === undefined ? undefined : of(row.json)
  )

/** Writes such a value. */
export const write = (name: string, value: unknown): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) =>
    run(
      sql`
        INSERT INTO singletons (name, json, updated_at) VALUES (${name}, ${JSON.stringify(value)}, ${at})
        ON CONFLICT (name) DO UPDATE SET json = excluded.json, updated_at = excluded.updated_at`
    )
  )
