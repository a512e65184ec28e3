import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { parseStored } from "../../kernel/Json.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { AgentProfile } from "./AgentProfile.ts"
import type { DefinitionCoordinate } from "./ImportSource.ts"

const select = (tail: (sql: Compose) => Fragment): Effect.Effect<ReadonlyArray<AgentProfile>, never, Sql> =>
  Effect.map(
    rows<{ json: string }>((sql) => sql`SELECT json FROM agent_profiles ${tail(sql)}`),
    (found) => found.map(({ json }) => parseStored<AgentProfile>(json))
  )

const first = (tail: (sql: Compose) => Fragment): Effect.Effect<AgentProfile | undefined, never, Sql> =>
  Effect.map(select(tail), ([found]) => found)

/** All profiles, by name. */
export const all = select((sql) => sql`ORDER BY name, id`)

/** The profile with an id. */
export const find = (id: string) => first((sql) => sql`WHERE id = ${id}`)

/** The profile that is linked to a definition. */
export const ofSource = ({ authorPubkey, dTag }: DefinitionCoordinate) =>
  first((sql) => sql`WHERE source_author = ${authorPubkey} AND source_tag = ${dTag}`)

/** The profiles that are linked to definitions of an adapter's relay, by their ids. */
export const ofAdapter = (adapterId: string) =>
  select((sql) => sql`WHERE source_adapter = ${adapterId} ORDER BY id`)

/** The names of those profiles that are there, by their ids. */
export const names = (ids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, string>, never, Sql> =>
  Effect.map(
    rows<{ id: string; name: string }>(
      sql`SELECT id, name FROM agent_profiles WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
    ),
    (found) => new Map(found.map(({ id, name }) => [id, name]))
  )

/** How many profiles there are. */
export const count: Effect.Effect<number, never, Sql> = Effect.map(
  firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM agent_profiles`),
  (found) => found?.n ?? 0
)

/** Adds a profile. */
export const insert = (profile: AgentProfile): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO agent_profiles (id, name, revision, source_adapter, source_author, source_tag, json)
      VALUES (${profile.id}, ${profile.name}, ${profile.revision}, ${profile.source?.adapterId ?? null},
        ${profile.source?.coordinate.authorPubkey ?? null}, ${profile.source?.coordinate.dTag ?? null},
        ${JSON.stringify(profile)})`
  )

/** Writes a changed profile. The revision guards the statement: a miss within the unit that read it is a defect. */
export const update = (before: AgentProfile, after: AgentProfile): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(
    rows<{ id: string }>(
      sql`
        UPDATE agent_profiles SET name = ${after.name}, revision = ${after.revision},
          source_adapter = ${after.source?.adapterId ?? null},
          source_author = ${after.source?.coordinate.authorPubkey ?? null},
          source_tag = ${after.source?.coordinate.dTag ?? null}, json = ${JSON.stringify(after)}
        WHERE id = ${before.id} AND revision = ${before.revision} RETURNING id`
    ),
    (updated) =>
      updated.length === 1
        ? Effect.void
        : Effect.dieMessage(`Profile ${before.id} changed under its own unit`)
  )

/** Removes a profile. */
export const remove = (id: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM agent_profiles WHERE id = ${id}`)
