import { Effect } from "effect"
import type { SchedulerSettings } from "../../board/settings/AdmissionSettings.ts"
import { TaskPriority } from "../../board/tasks/Task.ts"
import { Founder } from "../../identity/Standing.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import type { Past } from "../../storage/Retention.ts"
import { type Build, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { AdmissionRequest, type LaunchSource } from "../capacity/AdmissionRequest.ts"
import type { Capacity } from "../capacity/Capacity.ts"
import { highestRank, type Turns, type Waiting } from "../capacity/Schedule.ts"
import { type EntryState, inspectionWindow, type Outcome, type QueueFilter } from "./Entry.ts"

/** An entry as its table holds it; times in milliseconds since the epoch. */
export interface StoredEntry extends Waiting {
  readonly id: string
  readonly state: EntryState
  readonly revision: number
  readonly source: LaunchSource
  readonly attemptId: string
  readonly rootTaskId: string
  readonly rootObjectiveId: string
  readonly nodeId: string
  readonly reservationId: string | null
  readonly failures: number
  readonly outcome: Outcome | null
  readonly endedAt: number | null
}

interface EntryRow extends Omit<StoredEntry, "capacity">, Capacity {}

/** A priority as a number that grows with it. */
export const levelOf = (priority: TaskPriority): number => TaskPriority.literals.indexOf(priority)

/** The priority that a number stands for. */
export const priorityOf = (level: number): TaskPriority => TaskPriority.literals[level] ?? "low"

const columns = `seq, id, state, revision, source, priority, workspace_id AS workspaceId, provider,
  host_id AS hostId, runs, processes, memory_mb AS memoryMb, attempt_id AS attemptId, root_task_id AS rootTaskId,
  root_objective_id AS rootObjectiveId, node_id AS nodeId, reservation_id AS reservationId, failures, outcome,
  enqueued_at AS enqueuedAt, ended_at AS endedAt`

const withCapacity = <Row extends Capacity>({ memoryMb, processes, runs, ...row }: Row) => ({
  ...row,
  capacity: { runs, processes, memoryMb }
})

const select = (build: Build): Effect.Effect<ReadonlyArray<StoredEntry>, never, Sql> =>
  Effect.map(rows<EntryRow>(build), (found) => found.map(withCapacity))

/** The entry of which something is so. Every launch asks this several times, so its text is not put together each time. */
const first =
  (condition: string) =>
  (value: string | number): Effect.Effect<StoredEntry | undefined, never, Sql> =>
    Effect.map(
      select({ text: `SELECT ${columns} FROM admission_queue WHERE ${condition}`, parameters: [value] }),
      ([entry]) => entry
    )

/** What an entry waits with: what was asked for, and by whom. */
export interface Launch {
  readonly request: AdmissionRequest
  readonly founder: Founder
}

const requestOf = columnReader(AdmissionRequest, "admission_queue", "request")
const founderOf = columnReader(Founder, "admission_queue", "founder")

/** What an entry waits with. It was found in the same unit, so a miss is a defect. */
export const launchOf = ({ id, seq }: StoredEntry): Effect.Effect<Launch, never, Sql> =>
  Effect.flatMap(
    firstRow<{ request: string; founder: string }>(
      sql`SELECT request, founder FROM admission_queue WHERE seq = ${seq}`
    ),
    (row) =>
      row === undefined
        ? Effect.dieMessage(`${id} left the queue under its own unit`)
        : Effect.succeed({ request: requestOf(row.request, id), founder: founderOf(row.founder, id) })
  )

/** An entry that begins to wait. */
interface Entered extends Launch {
  readonly id: string
  readonly at: number
}

export const insert = ({ at, founder, id, request }: Entered): Effect.Effect<void, never, Sql> => {
  const { capacity, tree } = request
  return run(
    sql`
      INSERT INTO admission_queue (id, state, revision, source, priority, workspace_id, provider, host_id, runs,
        processes, memory_mb, attempt_id, root_task_id, root_objective_id, node_id, request, founder, failures,
        enqueued_at, due_at)
      VALUES (${id}, 'queued', 1, ${request.source}, ${levelOf(request.priority)}, ${request.workspaceId},
        ${request.provider}, ${request.hostId}, ${capacity.runs}, ${capacity.processes}, ${capacity.memoryMb},
        ${request.attemptId}, ${request.rootTaskId}, ${tree.rootObjectiveId}, ${tree.nodeId},
        ${JSON.stringify(request)}, ${JSON.stringify(founder)}, 0, ${at}, ${at})`
  )
}

export const find: (id: string) => Effect.Effect<StoredEntry | undefined, never, Sql> = first("id = ?")

const inPlace = first("seq = ?")

/** The entry of a place in the order of arrival. It was found in the same unit, so a miss is a defect. */
export const at = (seq: number): Effect.Effect<StoredEntry, never, Sql> =>
  Effect.filterOrDieMessage(
    inPlace(seq),
    (entry) => entry !== undefined,
    `Entry ${seq} left the queue under its own unit`
  )

/** The entry by which an attempt waits. */
export const ofAttempt: (attemptId: string) => Effect.Effect<StoredEntry | undefined, never, Sql> = first(
  "attempt_id = ? AND state IN ('queued', 'leased')"
)

/** How many wait, those included that are about to start. */
export const waiting: Effect.Effect<number, never, Sql> = Effect.map(
  firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM admission_queue WHERE state IN ('queued', 'leased')`),
  (found) => found?.n ?? 0
)

/** Whether anybody waits. */
export const anybodyWaits: Effect.Effect<boolean, never, Sql> = Effect.map(
  rows(sql`SELECT 1 AS found FROM admission_queue WHERE state IN ('queued', 'leased') LIMIT 1`),
  ({ length }) => length > 0
)

/**
 * Those who wait and are looked at, of these sources: a thousand, the highest in rank first. Within a priority the oldest
 * has the highest rank, so they are among the first thousand of each priority, and an index has those.
 */
export const window = (
  sources: ReadonlyArray<LaunchSource>,
  at: number,
  { agePromotionMs, maxPromotions }: SchedulerSettings
): Effect.Effect<ReadonlyArray<Waiting>, never, Sql> =>
  Effect.map(
    rows<Omit<Waiting, "capacity"> & Capacity>((sql) => {
      const oldest = TaskPriority.literals.map(
        (priority) => sql`
          SELECT * FROM (
            SELECT seq, priority, enqueued_at AS enqueuedAt, workspace_id AS workspaceId, provider,
              host_id AS hostId, runs, processes, memory_mb AS memoryMb
            FROM admission_queue
            WHERE state = 'queued' AND priority = ${levelOf(priority)} AND due_at <= ${at}
              AND source IN ${sql.in(sources)}
            ORDER BY seq LIMIT ${inspectionWindow})`
      )
      return sql`
        SELECT * FROM (${sql.join(" UNION ALL ", false)(oldest)})
        ORDER BY MIN(${highestRank},
          priority + MIN(${maxPromotions}, MAX(0, ${at} - enqueuedAt) / ${agePromotionMs})) DESC, seq
        LIMIT ${inspectionWindow}`
    }),
    (found) =>
      // Written out, since a thousand are read at a time.
      found.map(
        ({
          enqueuedAt,
          hostId,
          memoryMb,
          priority,
          processes,
          provider,
          runs,
          seq,
          workspaceId
        }): Waiting => ({
          seq,
          priority,
          enqueuedAt,
          workspaceId,
          provider,
          hostId,
          capacity: { runs, processes, memoryMb }
        })
      )
  )

/** When somebody who was put off is due again, in milliseconds since the epoch. */
export const nextDue = (at: number): Effect.Effect<number | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ at: number | null }>(
      sql`
        SELECT MIN(due_at) AS at FROM admission_queue
        WHERE state = 'queued' AND failures > 0 AND due_at > ${at}`
    ),
    (found) => found?.at ?? undefined
  )

/** Those that were given capacity and have not started. */
export const leased: Effect.Effect<ReadonlyArray<StoredEntry>, never, Sql> = select(
  (sql) => sql`SELECT ${sql.literal(columns)} FROM admission_queue WHERE state = 'leased' ORDER BY seq`
)

/** What changes of an entry beside its state. */
interface Changed {
  readonly reservationId?: string
  readonly failures?: number
  readonly dueAt?: number
  readonly outcome?: Outcome
  readonly endedAt?: number
}

/** Moves an entry on. Its revision guards the statement: it was read in the same unit, so a miss is a defect. */
export const move = (
  { failures, id, reservationId, revision }: StoredEntry,
  state: EntryState,
  changed: Changed = {}
): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(
    rows(
      sql`
        UPDATE admission_queue SET state = ${state}, revision = revision + 1,
          reservation_id = ${changed.reservationId ?? reservationId}, failures = ${changed.failures ?? failures},
          due_at = COALESCE(${changed.dueAt ?? null}, due_at), outcome = ${changed.outcome ?? null},
          ended_at = ${changed.endedAt ?? null}
        WHERE id = ${id} AND revision = ${revision} RETURNING id`
    ),
    ({ length }) => (length === 1 ? Effect.void : Effect.dieMessage(`${id} changed under its own unit`))
  )

/** Whose turn it was. */
export const turns: Effect.Effect<Turns, never, Sql> = Effect.map(
  rows<{ workspaceId: string; turn: number }>(
    sql`SELECT workspace_id AS workspaceId, turn FROM admission_turns`
  ),
  (found) => new Map(found.map(({ turn, workspaceId }) => [workspaceId, turn]))
)

/** Notes that a workspace had its turn. */
export const takeTurn = (workspaceId: string): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO admission_turns (workspace_id, turn)
      SELECT ${workspaceId}, COALESCE(MAX(turn), 0) + 1 FROM admission_turns WHERE true
      ON CONFLICT (workspace_id) DO UPDATE SET turn = excluded.turn`
  )

/** The entries that match but for the filters that no column answers, the oldest of those that wait first, then the newest of the others: the first thousand. */
export const matching = (
  filter: QueueFilter,
  at: number
): Effect.Effect<ReadonlyArray<StoredEntry>, never, Sql> =>
  select((sql) => {
    const { maxAgeMs, minAgeMs, nodeId, priority, source, workspaceId } = filter
    const given = [
      sql`state IN ${sql.in(filter.state ?? ["queued", "leased"])}`,
      ...(workspaceId === undefined ? [] : [sql`workspace_id = ${workspaceId}`]),
      ...(nodeId === undefined ? [] : [sql`node_id = ${nodeId}`]),
      ...(source === undefined ? [] : [sql`source IN ${sql.in(source)}`]),
      ...(priority === undefined ? [] : [sql`priority = ${levelOf(priority)}`]),
      ...(minAgeMs === undefined ? [] : [sql`COALESCE(ended_at, ${at}) - enqueued_at >= ${minAgeMs}`]),
      ...(maxAgeMs === undefined ? [] : [sql`COALESCE(ended_at, ${at}) - enqueued_at <= ${maxAgeMs}`])
    ]
    return sql`
      SELECT ${sql.literal(columns)} FROM admission_queue WHERE ${sql.and(given)}
      ORDER BY ended_at IS NOT NULL, CASE WHEN ended_at IS NULL THEN seq ELSE -seq END LIMIT ${inspectionWindow}`
  })

/** Takes away those of the oldest that are over and lie in the past, and gives how many those were. */
export const forgetOld = ({ before, newest }: Past, size: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    rows(
      sql`
        DELETE FROM admission_queue WHERE seq IN (
          SELECT seq FROM admission_queue
          WHERE ended_at < ${before} AND seq <= (SELECT MAX(seq) FROM admission_queue) - ${newest}
          ORDER BY seq LIMIT ${size})
        RETURNING seq`
    ),
    ({ length }) => length
  )
