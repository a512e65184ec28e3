import { Effect, Schema, Struct } from "effect"
import type { Page } from "../../kernel/Paging.ts"
import { iso } from "../../kernel/Time.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import type { Past } from "../../storage/Retention.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { AdmissionRequest } from "../capacity/AdmissionRequest.ts"
import { type Demand, EvaluatedPolicy } from "../capacity/Capacity.ts"
import {
  ReleaseEvidence,
  type Reservation,
  type ReservationFilter,
  type ReservationState
} from "./Reservation.ts"

/** A reservation as its table holds it. */
export interface StoredReservation {
  readonly id: string
  readonly state: ReservationState
  readonly revision: number
  readonly attemptId: string
  readonly leaseEpoch: number
  /** Until when it is held, in milliseconds since the epoch. */
  readonly leasedUntil: number
}

const table = "admission_reservations"
const requestOf = columnReader(AdmissionRequest, table, "request")
const policiesOf = columnReader(Schema.Array(EvaluatedPolicy), table, "policies")
const evidenceOf = columnReader(ReleaseEvidence, table, "evidence")

/** What the lease of a reservation is called. */
export const leaseName = (id: string): string => `admission:${id}`

/** All that is taken, together for those in the same place. It is read from an index of what is active alone. */
export const taken: Effect.Effect<ReadonlyArray<Demand>, never, Sql> = Effect.map(
  rows<{
    workspaceId: string
    provider: string
    hostId: string
    runs: number
    processes: number
    memoryMb: number
  }>(
    sql`
      SELECT workspace_id AS workspaceId, provider, host_id AS hostId,
        SUM(runs) AS runs, SUM(processes) AS processes, SUM(memory_mb) AS memoryMb
      FROM admission_reservations WHERE state = 'active' GROUP BY workspace_id, provider, host_id`
  ),
  (found) =>
    found.map(({ memoryMb, processes, runs, ...place }) => ({
      ...place,
      capacity: { runs, processes, memoryMb }
    }))
)

/** A reservation that begins. */
interface Begun {
  readonly id: string
  readonly request: AdmissionRequest
  readonly policies: ReadonlyArray<EvaluatedPolicy>
  readonly leaseEpoch: number
  readonly leasedUntil: number
  readonly at: number
}

export const insert = ({ at, id, leasedUntil, leaseEpoch, policies, request }: Begun) => {
  const { capacity, tree } = request
  return run(
    sql`
      INSERT INTO admission_reservations (id, state, revision, workspace_id, provider, host_id, task_id, root_task_id,
        attempt_id, workflow_run_id, workflow_step_id, root_reservation_id, root_objective_id, node_id,
        parent_node_id, runs, processes, memory_mb, lease_epoch, leased_until, request, policies, created_at,
        updated_at)
      VALUES (${id}, 'active', 1, ${request.workspaceId}, ${request.provider}, ${request.hostId}, ${request.taskId},
        ${request.rootTaskId}, ${request.attemptId}, ${request.workflowRunId ?? null},
        ${request.workflowStepId ?? null}, ${request.rootReservationId ?? null}, ${tree.rootObjectiveId},
        ${tree.nodeId}, ${tree.parentNodeId}, ${capacity.runs}, ${capacity.processes}, ${capacity.memoryMb},
        ${leaseEpoch}, ${leasedUntil}, ${JSON.stringify(request)}, ${JSON.stringify(policies)}, ${at}, ${at})`
  )
}

const narrow = `id, state, revision, attempt_id AS attemptId, lease_epoch AS leaseEpoch, leased_until AS leasedUntil`

/** The reservation of which something is so. Every run asks this again and again, so its text is not put together each time. */
const first =
  (condition: string) =>
  (value: string): Effect.Effect<StoredReservation | undefined, never, Sql> =>
    firstRow<StoredReservation>({
      text: `SELECT ${narrow} FROM ${table} WHERE ${condition}`,
      parameters: [value]
    })

/** A reservation by its id. */
export const withId: (id: string) => Effect.Effect<StoredReservation | undefined, never, Sql> =
  first("id = ?")

/** The reservation that an attempt holds. */
export const heldBy: (attemptId: string) => Effect.Effect<StoredReservation | undefined, never, Sql> = first(
  "attempt_id = ? AND state = 'active'"
)

/** The place of an attempt in its tree, whether it holds capacity still or not any more. */
export const treeOf = (attemptId: string): Effect.Effect<AdmissionRequest["tree"] | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ id: string; request: string }>(
      (sql) => sql`
        SELECT id, request FROM ${sql(table)} WHERE attempt_id = ${attemptId} ORDER BY seq DESC LIMIT 1`
    ),
    (found) => found && requestOf(found.request, found.id).tree
  )

/** Those whose lease has lapsed by a time, in milliseconds since the epoch; the first hundred. */
export const lapsed = (at: number): Effect.Effect<ReadonlyArray<StoredReservation>, never, Sql> =>
  rows<StoredReservation>(
    (sql) => sql`
      SELECT ${sql.literal(narrow)} FROM ${sql(table)}
      WHERE state = 'active' AND leased_until <= ${at} ORDER BY leased_until LIMIT 100`
  )

/** When the next lease lapses. */
export const nextLapse: Effect.Effect<number | undefined, never, Sql> = Effect.map(
  firstRow<{ at: number | null }>(
    sql`SELECT MIN(leased_until) AS at FROM admission_reservations WHERE state = 'active'`
  ),
  (found) => found?.at ?? undefined
)

/** Says until when it is held. */
export const holdUntil = (id: string, leasedUntil: number): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE admission_reservations SET leased_until = ${leasedUntil} WHERE id = ${id}`)

/** Ends it. It was read in the same unit, so it is active still. */
export const end = (
  id: string,
  state: ReservationState,
  evidence: ReleaseEvidence
): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE admission_reservations SET state = ${state}, revision = revision + 1,
        evidence = ${JSON.stringify(evidence)}, updated_at = ${Date.parse(evidence.at)}
      WHERE id = ${id} AND state = 'active'`
  )

interface ReservationRow extends StoredReservation {
  readonly request: string
  readonly policies: string
  readonly evidence: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

const shown = (row: ReservationRow): Reservation => {
  const { capacity, rootReservationId, tree, workflowRunId, workflowStepId, ...request } = requestOf(
    row.request,
    row.id
  )
  return {
    schemaVersion: "admission-reservation/v1",
    id: row.id,
    state: row.state,
    revision: row.revision,
    request,
    requestedCapacity: capacity,
    evaluatedPolicies: policiesOf(row.policies, row.id),
    attemptBinding: {
      taskId: request.taskId,
      attemptId: request.attemptId,
      workflowRunId: workflowRunId ?? null,
      workflowStepId: workflowStepId ?? null,
      rootReservationId: rootReservationId ?? null
    },
    lease: { holder: request.attemptId, epoch: row.leaseEpoch, expiresAt: iso(row.leasedUntil) },
    executionTreeIdentity: tree,
    releaseEvidence: row.evidence === null ? null : evidenceOf(row.evidence, row.id),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt)
  }
}

const wide = `${narrow}, request, policies, evidence, created_at AS createdAt, updated_at AS updatedAt`

/** A reservation as it is shown. */
export const find = (id: string): Effect.Effect<Reservation | undefined, never, Sql> =>
  Effect.map(
    firstRow<ReservationRow>((sql) => sql`SELECT ${sql.literal(wide)} FROM ${sql(table)} WHERE id = ${id}`),
    (row) => row && shown(row)
  )

const columns = {
  workspaceId: "workspace_id",
  taskId: "task_id",
  rootTaskId: "root_task_id",
  provider: "provider",
  hostId: "host_id",
  workflowRunId: "workflow_run_id",
  workflowStepId: "workflow_step_id",
  rootReservationId: "root_reservation_id",
  rootObjectiveId: "root_objective_id",
  nodeId: "node_id",
  parentNodeId: "parent_node_id"
} as const

/** The newest reservations that match, and how many match. */
export const matching = (
  filter: ReservationFilter,
  limit: number
): Effect.Effect<Page<Reservation>, never, Sql> =>
  Effect.gen(function* () {
    const found = yield* rows<ReservationRow & { total: number }>((sql) => {
      const named = Struct.keys(columns).flatMap((name) => {
        const value = filter[name]
        return value === undefined ? [] : [sql`${sql(columns[name])} = ${value}`]
      })
      const states = filter.state === undefined ? [] : [sql`state IN ${sql.in(filter.state)}`]
      return sql`
        SELECT ${sql.literal(wide)}, COUNT(*) OVER () AS total FROM ${sql(table)}
        WHERE ${sql.and([...named, ...states])} ORDER BY seq DESC LIMIT ${limit}`
    })
    return { items: found.map(shown), total: found[0]?.total ?? 0 }
  })

/** Takes away those of the oldest that are over and lie in the past, and gives how many those were. */
export const forgetOld = ({ before, newest }: Past, size: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    rows(
      sql`
        DELETE FROM admission_reservations WHERE seq IN (
          SELECT seq FROM admission_reservations
          WHERE state <> 'active' AND updated_at < ${before}
            AND seq <= (SELECT MAX(seq) FROM admission_reservations) - ${newest}
          ORDER BY seq LIMIT ${size})
        RETURNING seq`
    ),
    ({ length }) => length
  )
