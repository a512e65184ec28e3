import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { Founder } from "../../identity/Standing.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { CompletionResult } from "../documents/CompletionResult.ts"
import { LaunchManifest } from "../documents/LaunchManifest.ts"
import { TaskEnvelope } from "../documents/TaskEnvelope.ts"
import type { Attempt, Bindings } from "./Attempt.ts"

interface AttemptRow extends Omit<Attempt, "requestedBy" | "bindings"> {
  readonly requestedBy: string
  readonly runtimeManifest: string | null
  readonly launchManifest: string | null
  readonly envelope: string | null
}

const founderOf = columnReader(Founder, "attempts", "requested_by")

const bindingsOf = ({ envelope, launchManifest, runtimeManifest }: AttemptRow): Bindings | null =>
  envelope === null || launchManifest === null || runtimeManifest === null
    ? null
    : { runtimeManifest, launchManifest, envelope }

const attemptOf = (row: AttemptRow): Attempt => {
  const { envelope: _, launchManifest: _launch, requestedBy, runtimeManifest: _runtime, ...attempt } = row
  return { ...attempt, requestedBy: founderOf(requestedBy, row.id), bindings: bindingsOf(row) }
}

const select = (tail: (sql: Compose) => Fragment): Effect.Effect<ReadonlyArray<Attempt>, never, Sql> =>
  Effect.map(
    rows<AttemptRow>(
      (sql) => sql`
        SELECT id, task_id AS taskId, agent, provider, source, state, status,
          parent_attempt_id AS parentAttemptId, queue_id AS queueId, workspace, requested_by AS requestedBy,
          created_at AS createdAt, started_at AS startedAt, ended_at AS endedAt,
          runtime_manifest_digest AS runtimeManifest, launch_manifest_digest AS launchManifest,
          envelope_digest AS envelope
        FROM attempts ${tail(sql)}`
    ),
    (found) => found.map(attemptOf)
  )

const first = (tail: (sql: Compose) => Fragment): Effect.Effect<Attempt | undefined, never, Sql> =>
  Effect.map(select(tail), ([found]) => found)

/** The attempt with an id. */
export const find = (id: string): Effect.Effect<Attempt | undefined, never, Sql> =>
  first((sql) => sql`WHERE id = ${id}`)

/** The attempt that waits or runs on a task, steps of workflows apart. */
export const activeOf = (taskId: string): Effect.Effect<Attempt | undefined, never, Sql> =>
  first((sql) => sql`WHERE task_id = ${taskId} AND state <> 'ended' AND source <> 'workflow'`)

/** The newest attempt at a task. */
export const latestOf = (taskId: string): Effect.Effect<Attempt | undefined, never, Sql> =>
  first((sql) => sql`WHERE task_id = ${taskId} ORDER BY seq DESC LIMIT 1`)

/** The newest attempts at a task, the newest first. */
export const newestOf = (taskId: string, limit: number): Effect.Effect<ReadonlyArray<Attempt>, never, Sql> =>
  select((sql) => sql`WHERE task_id = ${taskId} ORDER BY seq DESC LIMIT ${limit}`)

/** Everything that runs now. */
export const running: Effect.Effect<ReadonlyArray<Attempt>, never, Sql> = select(
  (sql) => sql`WHERE state = 'running' ORDER BY seq`
)

/** Everything that has got room and does not run yet. */
export const starting: Effect.Effect<ReadonlyArray<Attempt>, never, Sql> = select(
  (sql) => sql`WHERE state = 'starting' ORDER BY seq`
)

/** The attempts of an agent that run now. */
export const runningOf = (agent: string): Effect.Effect<ReadonlyArray<Attempt>, never, Sql> =>
  select((sql) => sql`WHERE state = 'running' AND agent = ${agent} ORDER BY seq LIMIT 100`)

/** Lets an attempt that waited begin. */
export const toStarting = (id: string): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE attempts SET state = 'starting' WHERE id = ${id} AND state = 'queued'`)

/** Lets an attempt wait again that had got room and lost it before it began. */
export const toQueued = (id: string, queueId: string): Effect.Effect<void, never, Sql> =>
  run(
    sql`UPDATE attempts SET state = 'queued', queue_id = ${queueId} WHERE id = ${id} AND state = 'starting'`
  )

/** Adds an attempt that waits, or runs without its documents yet: `bind` follows in the same unit. */
export const insert = (
  attempt: Omit<Attempt, "bindings" | "status" | "endedAt">,
  request: string
): Effect.Effect<void, never, Sql> => {
  const { agent, createdAt, id, parentAttemptId, provider, queueId, source, startedAt, state, taskId } =
    attempt
  return run(
    sql`
      INSERT INTO attempts (id, task_id, agent, provider, source, state, parent_attempt_id, queue_id, workspace,
        requested_by, request, created_at, started_at)
      VALUES (${id}, ${taskId}, ${agent}, ${provider}, ${source}, ${state}, ${parentAttemptId}, ${queueId},
        ${attempt.workspace}, ${JSON.stringify(attempt.requestedBy)}, ${request}, ${createdAt}, ${startedAt})`
  )
}

/** What an attempt was launched with: its three documents, each with its digest. */
export interface Documents {
  readonly runtimeManifest: { readonly digest: string }
  readonly launchManifest: LaunchManifest
  readonly envelope: TaskEnvelope
}

/** Binds an attempt to what it is launched with, and lets it run. */
export const bind = (
  id: string,
  { envelope, launchManifest, runtimeManifest }: Documents,
  workspace: string | null,
  at: number
): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE attempts SET state = 'running', started_at = ${at}, workspace = ${workspace},
        runtime_manifest_digest = ${runtimeManifest.digest}, launch_manifest_digest = ${launchManifest.digest},
        envelope_digest = ${envelope.digest}, runtime_manifest = ${JSON.stringify(runtimeManifest)},
        launch_manifest = ${JSON.stringify(launchManifest)}, envelope = ${JSON.stringify(envelope)}
      WHERE id = ${id}`
  )

/** Ends an attempt with its result. */
export const end = (id: string, result: CompletionResult, at: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE attempts SET state = 'ended', status = ${result.status}, ended_at = ${at},
        result = ${JSON.stringify(result)}
      WHERE id = ${id}`
  )

const manifestOf = columnReader(LaunchManifest, "attempts", "launch_manifest")
const envelopeOf = columnReader(TaskEnvelope, "attempts", "envelope")
const resultOf = columnReader(CompletionResult, "attempts", "result")

/** What an attempt was launched with, as it is stored: the manifest of the runtime as JSON text. */
export const documentsOf = (
  id: string
): Effect.Effect<
  | {
      readonly runtimeManifest: string
      readonly launchManifest: LaunchManifest
      readonly envelope: TaskEnvelope
    }
  | undefined,
  never,
  Sql
> =>
  Effect.map(
    firstRow<{ runtimeManifest: string; launchManifest: string; envelope: string }>(
      sql`
        SELECT runtime_manifest AS runtimeManifest, launch_manifest AS launchManifest, envelope FROM attempts
        WHERE id = ${id} AND envelope IS NOT NULL`
    ),
    (found) =>
      found && {
        runtimeManifest: found.runtimeManifest,
        launchManifest: manifestOf(found.launchManifest, id),
        envelope: envelopeOf(found.envelope, id)
      }
  )

/** The result of an attempt that is over. */
export const resultFor = (id: string): Effect.Effect<CompletionResult | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ result: string }>(sql`SELECT result FROM attempts WHERE id = ${id} AND result IS NOT NULL`),
    (found) => found && resultOf(found.result, id)
  )

/** The request of an attempt that waits, as JSON. */
export const requestOf = (id: string): Effect.Effect<string | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ request: string }>(sql`SELECT request FROM attempts WHERE id = ${id}`),
    (found) => found?.request
  )

/** What a start with a key was answered. */
export interface KnownLaunch {
  readonly fingerprint: string
  readonly answer: string
}

/** What was answered to a start of a task with a key, of which the hash alone is kept. */
export const launchBy = (
  taskId: string,
  keyHash: string
): Effect.Effect<KnownLaunch | undefined, never, Sql> =>
  firstRow<KnownLaunch>(
    sql`SELECT fingerprint, answer FROM launch_keys WHERE task_id = ${taskId} AND key_hash = ${keyHash}`
  )

/** Keeps what a start with a key was answered, for good (ruling 67). */
export const keepLaunch = (
  taskId: string,
  keyHash: string,
  attemptId: string,
  { answer, fingerprint }: KnownLaunch
): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO launch_keys (task_id, key_hash, fingerprint, attempt_id, answer)
      VALUES (${taskId}, ${keyHash}, ${fingerprint}, ${attemptId}, ${answer})`
  )

/** Takes away the attempts at a task that is deleted, and the keys of its starts. Their usage stands in the telemetry. */
export const forget = (taskId: string): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    run(sql`DELETE FROM attempts WHERE task_id = ${taskId}`),
    run(sql`DELETE FROM launch_keys WHERE task_id = ${taskId}`)
  )
