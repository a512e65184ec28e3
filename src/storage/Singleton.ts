import { Effect, type Schema } from "effect"
import { now } from "../kernel/Time.ts"
import { columnReader } from "./JsonColumn.ts"
import { firstRow, run, type Sql, sql } from "./Sql.ts"

/** A value that exists once on the board, such as its settings. */
export interface Singleton<A> {
  /** Reads it; undefined before it is written for the first time. */
  readonly read: Effect.Effect<A | undefined, never, Sql>
  readonly write: (value: A) => Effect.Effect<void, never, Sql>
}

/** The value of a kind that has a name. */
export const singleton = <A, I>(name: string, kind: Schema.Schema<A, I>): Singleton<A> => {
  const valueOf = columnReader(kind, "singletons")
  return {
    read: Effect.map(
      firstRow<{ json: string }>(sql`SELECT json FROM singletons WHERE name = ${name}`),
      (row) => row && valueOf(row.json, name)
    ),
    write: (value) =>
      Effect.flatMap(now, (at) =>
        run(
          sql`
            INSERT INTO singletons (name, json, updated_at) VALUES (${name}, ${JSON.stringify(value)}, ${at})
            ON CONFLICT (name) DO UPDATE SET json = excluded.json, updated_at = excluded.updated_at`
        )
      )
  }
}
