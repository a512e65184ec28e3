import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { columnReader } from "../../storage/JsonColumn.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { RuntimeManifest } from "../manifests/RuntimeManifest.ts"
import { type AgentState, Profile, type StoredRegistration } from "./Registration.ts"

const profileOf = columnReader(Profile, "agent_registrations")
const manifestOf = columnReader(RuntimeManifest, "agent_registrations", "manifest")

interface RegistrationRow {
  readonly id: string
  readonly json: string
  readonly manifest: string
  readonly status: AgentState
  readonly currentTaskId: string | null
  readonly currentTaskTitle: string | null
  readonly registeredAt: number
  readonly heartbeatAt: number
}

const select = (
  tail: (sql: Compose) => Fragment
): Effect.Effect<ReadonlyArray<StoredRegistration>, never, Sql> =>
  Effect.map(
    rows<RegistrationRow>(
      (sql) => sql`
        SELECT id, json, manifest, status, current_task_id AS currentTaskId,
          current_task_title AS currentTaskTitle, registered_at AS registeredAt, heartbeat_at AS heartbeatAt
        FROM agent_registrations ${tail(sql)}`
    ),
    (found) =>
      found.map(({ id, json, manifest, ...row }) => ({
        ...row,
        profile: profileOf(json, id),
        manifest: manifestOf(manifest, id)
      }))
  )

export const find = (id: string): Effect.Effect<StoredRegistration | undefined, never, Sql> =>
  Effect.map(
    select((sql) => sql`WHERE id = ${id}`),
    ([found]) => found
  )

/** The newest registrations. */
export const newest = (limit: number): Effect.Effect<ReadonlyArray<StoredRegistration>, never, Sql> =>
  select((sql) => sql`ORDER BY registered_at DESC, seq DESC LIMIT ${limit}`)

/** Those that were heard of after a time and did not take their leave, by their ids. */
export const heardOfAfter = (time: number): Effect.Effect<ReadonlyArray<StoredRegistration>, never, Sql> =>
  select((sql) => sql`WHERE heartbeat_at > ${time} AND status <> 'offline' ORDER BY id`)

export const count: Effect.Effect<number, never, Sql> = Effect.map(
  firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM agent_registrations`),
  (found) => found?.n ?? 0
)

/** The id of the agent that was not heard of for the longest, if that was before a time. */
export const longestSilent = (before: number): Effect.Effect<string | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ id: string }>(
      sql`
        SELECT id FROM agent_registrations WHERE heartbeat_at < ${before}
        ORDER BY heartbeat_at, seq LIMIT 1`
    ),
    (found) => found?.id
  )

/** Writes a registration in the place of the one that its id may have. */
export const put = ({
  currentTaskId,
  currentTaskTitle,
  heartbeatAt,
  manifest,
  profile,
  registeredAt,
  status
}: StoredRegistration): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO agent_registrations (id, json, manifest, status, current_task_id,
        current_task_title, registered_at, heartbeat_at)
      VALUES (${profile.id}, ${JSON.stringify(profile)}, ${JSON.stringify(manifest)},
        ${status}, ${currentTaskId}, ${currentTaskTitle}, ${registeredAt}, ${heartbeatAt})
      ON CONFLICT (id) DO UPDATE SET json = excluded.json, manifest = excluded.manifest,
        status = excluded.status,
        current_task_id = excluded.current_task_id, current_task_title = excluded.current_task_title,
        registered_at = excluded.registered_at, heartbeat_at = excluded.heartbeat_at`
  )

/** Notes that an agent was heard of, and that nothing else has changed: one column of one row. */
export const touch = (id: string, at: number): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE agent_registrations SET heartbeat_at = ${at} WHERE id = ${id}`)

export const remove = (id: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM agent_registrations WHERE id = ${id}`)
