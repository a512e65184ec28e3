import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue } from "../../kernel/Text.ts"
import { iso, Timestamp } from "../../kernel/Time.ts"
import { AttemptIdParam } from "../attempts/Params.ts"
import { maxAttempts } from "./PlanRecovery.ts"

/**
 * Where a recovery stands. It waits as `scheduled`, is `launching` for a moment, and is over as anything else: `exhausted`
 * when no recovery was left to try, `failed` when the launch was refused.
 */
export const RecoveryState = Schema.Literal(
  "scheduled",
  "launching",
  "launched",
  "cancelled",
  "exhausted",
  "failed"
).annotations({ identifier: "RunRecoveryState" })
export type RecoveryState = typeof RecoveryState.Type

/** What follows an attempt that failed or was interrupted (run-recovery/v1; spec 3-runs, States and transitions). */
export const RunRecovery = Schema.Struct({
  schemaVersion: Schema.Literal("run-recovery/v1"),
  id: Schema.String,
  taskId: Schema.String,
  /** The attempt that is recovered. */
  parentAttemptId: Schema.String,
  childAttemptId: optional(
    Schema.String.annotations({
      description: "The attempt that was launched, once it was: it may wait for room"
    })
  ),
  state: RecoveryState,
  reason: Schema.String,
  attemptNumber: Schema.Int.annotations({
    description: "Which recovery in a row this is, from 1; of an exhausted one, the last that was tried"
  }),
  maxAttempts: Schema.Int,
  scheduledFor: Schema.NullOr(Timestamp).annotations({
    description: "When it is launched; null when none is left to launch"
  }),
  updatedAt: Timestamp
}).annotations({ identifier: "RunRecovery" })
export type RunRecovery = typeof RunRecovery.Type

/** The body of a cancel: the attempt that is recovered. */
export const RecoveryCancel = Schema.Struct({ attemptId: AttemptIdParam }).annotations({
  identifier: "RecoveryCancel",
  ...everyIssue
})

/** A recovery as it is stored. Times are milliseconds since the epoch. */
export interface Recovery {
  readonly id: string
  readonly taskId: string
  readonly parentAttemptId: string
  readonly childAttemptId: string | null
  readonly state: RecoveryState
  readonly reason: string
  readonly attemptNumber: number
  readonly scheduledFor: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** A recovery as it is shown. */
export const shown = ({
  childAttemptId,
  createdAt: _,
  scheduledFor,
  updatedAt,
  ...recovery
}: Recovery): RunRecovery => ({
  schemaVersion: "run-recovery/v1",
  ...recovery,
  ...(childAttemptId === null ? {} : { childAttemptId }),
  maxAttempts,
  scheduledFor: scheduledFor === null ? null : iso(scheduledFor),
  updatedAt: iso(updatedAt)
})
