import { Effect } from "effect"
import { columnReader } from "../../storage/JsonColumn.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { TrackerProfile } from "./profiles/Profile.ts"

const profileOf = columnReader(TrackerProfile, "tracker_profiles")

/** All profiles, in the order of their creation. */
export const all: Effect.Effect<ReadonlyArray<TrackerProfile>, never, Sql> = Effect.map(
  rows<{ id: string; json: string }>(sql`SELECT id, json FROM tracker_profiles ORDER BY seq`),
  (found) => found.map(({ id, json }) => profileOf(json, id))
)

/** How many profiles there are. */
export const count: Effect.Effect<number, never, Sql> = Effect.map(
  firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM tracker_profiles`),
  (found) => found?.n ?? 0
)

/** The profile with an id. */
export const find = (id: string): Effect.Effect<TrackerProfile | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ id: string; json: string }>(sql`SELECT id, json FROM tracker_profiles WHERE id = ${id}`),
    (found) => found && profileOf(found.json, found.id)
  )

/** Writes a profile, in place of the one with its id. */
export const save = (profile: TrackerProfile): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO tracker_profiles (id, json) VALUES (${profile.id}, ${JSON.stringify(profile)})
      ON CONFLICT (id) DO UPDATE SET json = excluded.json`
  )
