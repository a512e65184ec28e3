import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { isSealed } from "../../src/kernel/Digest.ts"
import { parseStored } from "../../src/kernel/Json.ts"
import { type Query, sql } from "../../src/storage/Sql.ts"
import { agentProcesses } from "../support/AgentProcesses.ts"
import { until } from "../support/ScriptedAgents.ts"
import { readDatabase } from "../support/TestStorage.ts"

/** What must never be found, by what it would be. A server may go on while this is read: each is one statement. */
const violations: Readonly<Record<string, Query>> = {
  "capacity that no living attempt holds": sql`
    SELECT r.id, r.attempt_id, a.state FROM admission_reservations r
    LEFT JOIN attempts a ON a.id = r.attempt_id
    LEFT JOIN admission_queue q ON q.reservation_id = r.id AND q.state = 'leased'
    WHERE r.state = 'active'
      AND NOT (COALESCE(a.state, '') IN ('starting', 'running')
        OR (COALESCE(a.state, '') = 'queued' AND q.id IS NOT NULL))`,
  "living attempts that hold no capacity": sql`
    SELECT a.id, a.state FROM attempts a
    WHERE a.state IN ('starting', 'running') AND 1 <> (
      SELECT COUNT(*) FROM admission_reservations r WHERE r.attempt_id = a.id AND r.state = 'active')`,
  "capacity whose lease is not there, or is there for nothing": sql`
    SELECT r.id, r.state, l.epoch FROM admission_reservations r LEFT JOIN leases l ON l.name = 'admission:' || r.id
    WHERE (r.state = 'active') <> (COALESCE(l.epoch, -1) = r.lease_epoch)`,
  "attempts that stand in no state, or in two": sql`
    SELECT id, state, status FROM attempts
    WHERE CASE state
      WHEN 'queued' THEN queue_id IS NULL OR started_at IS NOT NULL OR envelope IS NOT NULL OR result IS NOT NULL
      WHEN 'starting' THEN queue_id IS NULL OR envelope IS NOT NULL OR result IS NOT NULL
      WHEN 'running' THEN started_at IS NULL OR envelope IS NULL OR launch_manifest IS NULL
        OR runtime_manifest IS NULL OR status IS NOT NULL OR result IS NOT NULL
      WHEN 'ended' THEN status IS NULL OR ended_at IS NULL OR result IS NULL
        OR json_extract(result, '$.status') <> status OR json_extract(result, '$.attemptId') <> id
      ELSE 1 END`,
  "attempts that ended otherwise than once": sql`
    SELECT a.id, a.state FROM attempts a
    WHERE (a.state = 'ended') <> (
      SELECT COUNT(*) FROM outbox o
      WHERE o.resource = 'attempt' AND o.resource_id = a.id AND o.kind = 'attempt.ended')`,
  "attempts that began otherwise than once": sql`
    SELECT a.id, a.state FROM attempts a
    WHERE (a.started_at IS NOT NULL) <> (
      SELECT COUNT(*) FROM outbox o
      WHERE o.resource = 'attempt' AND o.resource_id = a.id AND o.kind = 'attempt.started')`,
  "entries of the queue that say something else than their attempts": sql`
    SELECT q.id, q.state, a.state AS attempt FROM admission_queue q LEFT JOIN attempts a ON a.id = q.attempt_id
    WHERE NOT CASE q.state
      WHEN 'queued' THEN COALESCE(a.state, '') = 'queued'
      WHEN 'leased' THEN COALESCE(a.state, '') = 'queued'
      WHEN 'dispatched' THEN COALESCE(a.state, '') IN ('starting', 'running', 'ended')
      ELSE COALESCE(a.state, '') = 'ended' END`,
  "attempts that wait for nothing": sql`
    SELECT a.id FROM attempts a LEFT JOIN admission_queue q ON q.id = a.queue_id AND q.attempt_id = a.id
    WHERE a.state = 'queued' AND COALESCE(q.state, '') NOT IN ('queued', 'leased')`,
  "entries of the queue that were dispatched otherwise than once": sql`
    SELECT q.id, q.state FROM admission_queue q
    WHERE (q.state = 'dispatched') <> (
      SELECT COUNT(*) FROM outbox o
      WHERE o.resource = 'admission-queue' AND o.resource_id = q.id AND o.kind = 'admission-queue.dispatched')`,
  "recoveries that have no child, or several": sql`
    SELECT r.id, r.state FROM run_recoveries r
    LEFT JOIN attempts a ON a.parent_attempt_id = r.parent_attempt_id AND a.source = 'recovery'
    GROUP BY r.id
    HAVING COUNT(a.id) <> (r.state = 'launched') OR COALESCE(MAX(a.id), '') <> COALESCE(r.child_attempt_id, '')`,
  "journals with a gap": sql`
    SELECT s.resource_id, s.head FROM log_streams s
    LEFT JOIN log l ON l.place BETWEEN s.id << 32 AND (s.id << 32) | 4294967295
    WHERE s.resource = 'attempt' GROUP BY s.id
    HAVING COUNT(l.place) <> s.head OR MIN(l.place) <> (s.id << 32) + 1 OR MAX(l.place) <> (s.id << 32) + s.head`,
  "processes that are written down for attempts that do not run": sql`
    SELECT p.attempt_id, a.state FROM processes p LEFT JOIN attempts a ON a.id = p.attempt_id
    WHERE COALESCE(a.state, '') <> 'running'`,
  "tasks that show their attempt otherwise than it is": sql`
    SELECT a.task_id, a.id, a.state FROM task_documents d JOIN attempts a ON a.id = json_extract(d.json, '$.attempt.id')
    WHERE json_extract(d.json, '$.attempt.status') IS NOT CASE a.state WHEN 'ended' THEN a.status ELSE a.state END`
}

/** Of starts that all had a key: each key has one effect, and nothing was started without one. */
export const assertKeysCount = (directory: string): Effect.Effect<void> =>
  Effect.map(
    readDatabase(
      directory,
      sql`
    SELECT a.id, k.attempt_id FROM attempts a FULL JOIN launch_keys k ON k.attempt_id = a.id
    WHERE COALESCE(a.source, '') <> 'recovery'
    GROUP BY COALESCE(a.id, k.attempt_id) HAVING COUNT(a.id) <> 1 OR COUNT(k.key_hash) <> 1`
    ),
    (found) => assert.deepStrictEqual(found, [], "starts whose key has not exactly one effect")
  )

interface BoundRow {
  readonly id: string
  readonly runtimeDigest: string | null
  readonly launchDigest: string | null
  readonly envelopeDigest: string | null
  readonly runtime: string | null
  readonly launch: string | null
  readonly envelope: string | null
  readonly result: string | null
}

/** Every document of an attempt has its own digest, which is the one that the attempt is bound to. */
const assertSealed = ({ id, result, ...row }: BoundRow) => {
  for (const [text, digest] of [
    [row.runtime, row.runtimeDigest],
    [row.launch, row.launchDigest],
    [row.envelope, row.envelopeDigest]
  ] as const) {
    if (text === null) continue
    const document = parseStored<{ readonly digest: string }>(text)
    assert.isTrue(isSealed(document) && document.digest === digest, `a document of ${id} is not what it was`)
  }
  if (result !== null) assert.isTrue(isSealed(parseStored(result)), `the result of ${id} is not what it was`)
}

/** What must hold of the runs of a board after any crash, read from the file itself. */
export const assertRunsSound = (directory: string, limit: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (const [what, query] of Object.entries(violations)) {
      assert.deepStrictEqual(yield* readDatabase(directory, query), [], what)
    }
    const [taken] = yield* readDatabase<{ runs: number | null }>(
      directory,
      sql`SELECT SUM(runs) AS runs FROM admission_reservations WHERE state = 'active'`
    )
    assert.isAtMost(taken?.runs ?? 0, limit, "more runs than there is room for")
    const bound = yield* readDatabase<BoundRow>(
      directory,
      sql`
        SELECT id, runtime_manifest_digest AS runtimeDigest, launch_manifest_digest AS launchDigest,
          envelope_digest AS envelopeDigest, runtime_manifest AS runtime, launch_manifest AS launch, envelope, result
        FROM attempts`
    )
    for (const row of bound) assertSealed(row)
  })

const runningIn = (directory: string) =>
  Effect.map(
    readDatabase<{ id: string }>(directory, sql`SELECT id FROM attempts WHERE state = 'running'`),
    (found) => new Set(found.map(({ id }) => id))
  )

/** The processes that work for attempts which do not run. */
const strays = (directory: string) =>
  Effect.suspend(() => {
    // Looked at first: what runs by then and is over a moment later is no stray.
    const working = agentProcesses(directory)
    return Effect.map(runningIn(directory), (running) =>
      working.filter(({ attemptId }) => !running.has(attemptId))
    )
  })

/** The directories of attempts which do not run, and in which no work was left. */
const emptied = (directory: string) =>
  Effect.suspend(() => {
    const places = namesIn(join(directory, "runs"))
    return Effect.map(runningIn(directory), (running) =>
      places.filter((id) => !running.has(id) && namesIn(join(directory, "runs", id, "work")).length === 0)
    )
  })

const namesIn = (place: string): ReadonlyArray<string> => (existsSync(place) ? readdirSync(place) : [])

/** How long something of an attempt may outlive it, in milliseconds. */
const patience = 10_000

/** No process of an attempt that is over lives for longer than ten seconds. */
export const assertNobodyStrays = (directory: string): Effect.Effect<void> =>
  assertComesToNothing(strays(directory), "processes of attempts that are over")

/** Of an attempt that is over no directory is left, unless its agent left work there. */
export const assertNothingLeft = (directory: string): Effect.Effect<void> =>
  assertComesToNothing(emptied(directory), "directories of attempts that are over")

const assertComesToNothing = (look: Effect.Effect<ReadonlyArray<unknown>>, what: string) =>
  Effect.gen(function* () {
    const begun = performance.now()
    const left = yield* until(look, ({ length }) => length === 0 || performance.now() - begun > patience)
    assert.deepStrictEqual(left, [], what)
  })
