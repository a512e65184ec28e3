import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { parseStored } from "../../kernel/Json.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { DefinitionCoordinate } from "../agent-profiles/ImportSource.ts"
import type { StoredRoster } from "./TeamRoster.ts"

const select = (tail: (sql: Compose) => Fragment): Effect.Effect<ReadonlyArray<StoredRoster>, never, Sql> =>
  Effect.map(
    rows<{ json: string }>((sql) => sql`SELECT json FROM team_rosters ${tail(sql)}`),
    (found) => found.map(({ json }) => parseStored<StoredRoster>(json))
  )

const first = (tail: (sql: Compose) => Fragment): Effect.Effect<StoredRoster | undefined, never, Sql> =>
  Effect.map(select(tail), ([found]) => found)

/** All rosters, by name. */
export const all = select((sql) => sql`ORDER BY name, id`)

/** The roster with an id. */
export const find = (id: string) => first((sql) => sql`WHERE id = ${id}`)

/** The roster that is linked to a definition. */
export const ofSource = ({ authorPubkey, dTag }: DefinitionCoordinate) =>
  first((sql) => sql`WHERE source_author = ${authorPubkey} AND source_tag = ${dTag}`)

/** The rosters that are linked to definitions of an adapter's relay, by their ids. */
export const ofAdapter = (adapterId: string) =>
  select((sql) => sql`WHERE source_adapter = ${adapterId} ORDER BY id`)

/** How many rosters there are. */
export const count: Effect.Effect<number, never, Sql> = Effect.map(
  firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM team_rosters`),
  (found) => found?.n ?? 0
)

/** Adds a roster. */
export const insert = ({ source, ...roster }: StoredRoster): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO team_rosters (id, name, revision, source_adapter, source_author, source_tag, json)
      VALUES (${roster.id}, ${roster.name}, ${roster.revision}, ${source.adapterId},
        ${source.coordinate.authorPubkey}, ${source.coordinate.dTag}, ${JSON.stringify({ ...roster, source })})`
  )

/** Writes a changed roster. The revision guards the statement: a miss within the unit that read it is a defect. */
export const update = (before: StoredRoster, after: StoredRoster): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(
    rows<{ id: string }>(
      sql`
        UPDATE team_rosters SET name = ${after.name}, revision = ${after.revision},
          source_adapter = ${after.source.adapterId}, source_author = ${after.source.coordinate.authorPubkey},
          source_tag = ${after.source.coordinate.dTag}, json = ${JSON.stringify(after)}
        WHERE id = ${before.id} AND revision = ${before.revision} RETURNING id`
    ),
    (updated) =>
      updated.length === 1 ? Effect.void : Effect.dieMessage(`Roster ${before.id} changed under its own unit`)
  )

/** Removes a roster. */
export const remove = (id: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM team_rosters WHERE id = ${id}`)
