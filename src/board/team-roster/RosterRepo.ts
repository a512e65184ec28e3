import { Effect } from "effect"
import { documents } from "../../storage/Documents.ts"
import { type DefinitionCoordinate, sourceColumns } from "../agent-profiles/ImportSource.ts"
import { StoredRoster } from "./TeamRoster.ts"

const rosters = documents("team_rosters", StoredRoster, ({ name, source }) => ({
  name,
  ...sourceColumns(source)
}))

export const { count, find, insert, remove, update } = rosters

/** All rosters, by name. */
export const all = rosters.select((sql) => sql`ORDER BY name, id`)

/** The roster that is linked to a definition. */
export const ofSource = ({ authorPubkey, dTag }: DefinitionCoordinate) =>
  Effect.map(
    rosters.select((sql) => sql`WHERE source_author = ${authorPubkey} AND source_tag = ${dTag}`),
    ([found]) => found
  )

/** The rosters that are linked to definitions of an adapter's relay, by their ids. */
export const ofAdapter = (adapterId: string) =>
  rosters.select((sql) => sql`WHERE source_adapter = ${adapterId} ORDER BY id`)
