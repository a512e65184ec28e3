import { Effect } from "effect"
import { documents } from "../../storage/Documents.ts"
import { rows, type Sql, sql } from "../../storage/Sql.ts"
import { AgentProfile } from "./AgentProfile.ts"
import { type DefinitionCoordinate, sourceColumns } from "./ImportSource.ts"

const profiles = documents("agent_profiles", AgentProfile, ({ name, source }) => ({
  name,
  ...sourceColumns(source)
}))

export const { count, find, insert, remove, update } = profiles

/** All profiles, by name. */
export const all = profiles.select((sql) => sql`ORDER BY name, id`)

/** The profile that is linked to a definition. */
export const ofSource = ({ authorPubkey, dTag }: DefinitionCoordinate) =>
  Effect.map(
    profiles.select((sql) => sql`WHERE source_author = ${authorPubkey} AND source_tag = ${dTag}`),
    ([found]) => found
  )

/** The profiles that are linked to definitions of an adapter's relay, by their ids. */
export const ofAdapter = (adapterId: string) =>
  profiles.select((sql) => sql`WHERE source_adapter = ${adapterId} ORDER BY id`)

/** The names of those profiles that are there, by their ids. */
export const names = (ids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, string>, never, Sql> =>
  Effect.map(
    rows<{ id: string; name: string }>(
      sql`SELECT id, name FROM agent_profiles WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
    ),
    (found) => new Map(found.map(({ id, name }) => [id, name]))
  )
