import { Either, Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { Limit } from "../../kernel/Paging.ts"
import { severalOf } from "../../kernel/Several.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { AdmissionRequest } from "../capacity/AdmissionRequest.ts"
import { Capacity, EvaluatedPolicy } from "../capacity/Capacity.ts"
import { ExecutionTreeIdentity } from "../capacity/ExecutionTree.ts"

/** Whether a reservation holds capacity, was given back, or lapsed because nobody held on to it. */
export const ReservationState = Schema.Literal("active", "released", "expired")
export type ReservationState = typeof ReservationState.Type

/** Why capacity is free again. */
export const ReleaseReason = Schema.Literal(
  "attempt-ended",
  "attempt-stopped",
  "queue-cancelled",
  "tree-cancelled",
  "blocked",
  "dispatch-refused",
  "dispatch-broke",
  "dispatcher-restarted",
  "lease-lapsed"
)
export type ReleaseReason = typeof ReleaseReason.Type

/** What shows that capacity is free again: why, who gave it back, and when. */
export const ReleaseEvidence = Schema.Struct({
  reason: ReleaseReason,
  by: Schema.String,
  at: Timestamp
}).annotations({ identifier: "ReleaseEvidence" })
export type ReleaseEvidence = typeof ReleaseEvidence.Type

const {
  capacity: _,
  tree: __,
  workflowRunId,
  workflowStepId,
  rootReservationId,
  ...asked
} = AdmissionRequest.fields

/** A share of the capacity that an attempt holds, or held (spec 3-runs, Objects). */
export const Reservation = Schema.Struct({
  schemaVersion: Schema.Literal("admission-reservation/v1"),
  id: Schema.String,
  state: ReservationState,
  revision: Schema.Int,
  request: Schema.Struct(asked),
  requestedCapacity: Capacity,
  evaluatedPolicies: Schema.Array(EvaluatedPolicy),
  attemptBinding: Schema.Struct({
    taskId: Schema.String,
    attemptId: Schema.String,
    workflowRunId: Schema.NullOr(Schema.String),
    workflowStepId: Schema.NullOr(Schema.String),
    rootReservationId: Schema.NullOr(Schema.String)
  }),
  lease: Schema.Struct({ holder: Schema.String, epoch: Schema.Int, expiresAt: Timestamp }),
  executionTreeIdentity: ExecutionTreeIdentity,
  releaseEvidence: Schema.NullOr(ReleaseEvidence),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "AdmissionReservation" })
export type Reservation = typeof Reservation.Type

/** The id of a reservation as it comes in a path. */
export const ReservationIdParam = IdParam.annotations({ description: "The id of a reservation" })

/** An id to filter by; an unknown one matches nothing. */
const id = Schema.optional(IdParam)

/** The filters of `GET /admission`. All given ones must hold; unknown names are ignored. */
export const ReservationFilter = Schema.Struct({
  workspaceId: id,
  taskId: id,
  rootTaskId: id,
  provider: id,
  hostId: id,
  workflowRunId: id,
  workflowStepId: id,
  rootReservationId: id,
  rootObjectiveId: id,
  nodeId: id,
  parentNodeId: id,
  state: Schema.optional(severalOf(ReservationState, "states")),
  limit: Schema.optional(Limit)
})
export type ReservationFilter = typeof ReservationFilter.Type

/** What can be done with a reservation. */
export type ReservationCommand = "renew" | "release" | "expire"

/** The state that a command leads to. A reservation that is over stays as it ended, whoever comes late. */
export const decide = (
  state: ReservationState,
  command: ReservationCommand
): Either.Either<ReservationState, "over"> => {
  if (state !== "active") return Either.left("over")
  switch (command) {
    case "renew":
      return Either.right("active")
    case "release":
      return Either.right("released")
    case "expire":
      return Either.right("expired")
  }
}
