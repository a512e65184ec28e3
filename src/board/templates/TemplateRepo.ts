import { Effect } from "effect"
import { parseStored } from "../../kernel/Json.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Template } from "./Template.ts"

/** All templates, by name. */
export const all: Effect.Effect<ReadonlyArray<Template>, never, Sql> = Effect.map(
  rows<{ json: string }>(sql`SELECT json FROM templates ORDER BY name`),
  (found) => found.map(({ json }) => parseStored<Template>(json))
)

/** How many templates there are. */
export const count: Effect.Effect<number, never, Sql> = Effect.map(
  firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM templates`),
  (found) => found?.n ?? 0
)

/** The template with an id. */
export const find = (id: string): Effect.Effect<Template | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ json: string }>(sql`SELECT json FROM templates WHERE id = ${id}`),
    (found) => found && parseStored<Template>(found.json)
  )

/** The id of the template that has a name. */
export const idOf = (name: string): Effect.Effect<string | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ id: string }>(sql`SELECT id FROM templates WHERE name = ${name}`),
    (found) => found?.id
  )

/** Adds a template. */
export const insert = (template: Template): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO templates (id, name, revision, json)
      VALUES (${template.id}, ${template.name}, ${template.revision}, ${JSON.stringify(template)})`
  )

/** Writes a changed template. The revision guards the statement: a miss within the unit that read it is a defect. */
export const update = (before: Template, after: Template): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(
    rows<{ id: string }>(
      sql`
        UPDATE templates SET name = ${after.name}, revision = ${after.revision}, json = ${JSON.stringify(after)}
        WHERE id = ${before.id} AND revision = ${before.revision} RETURNING id`
    ),
    (updated) =>
      updated.length === 1
        ? Effect.void
        : Effect.dieMessage(`Template ${before.id} changed under its own unit`)
  )

/** Removes a template. */
export const remove = (id: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM templates WHERE id = ${id}`)
