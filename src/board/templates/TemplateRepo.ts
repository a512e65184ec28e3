import { Effect } from "effect"
import { documents } from "../../storage/Documents.ts"
import { firstRow, type Sql, sql } from "../../storage/Sql.ts"
import { Template } from "./Template.ts"

const templates = documents("templates", Template, ({ name }) => ({ name }))

export const { count, find, insert, remove, update } = templates

/** All templates, by name. */
export const all = templates.select((sql) => sql`ORDER BY name`)

/** The id of the template that has a name. */
export const idOf = (name: string): Effect.Effect<string | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ id: string }>(sql`SELECT id FROM templates WHERE name = ${name}`),
    (found) => found?.id
  )
