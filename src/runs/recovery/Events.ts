import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"

/** The resource of recoveries in the outbox, and the stream that their changes move. */
export const recoveryStream = "run-recovery"

const whose = { taskId: Schema.String, parentAttemptId: Schema.String, attemptNumber: Schema.Int }

/** An attempt will be recovered. */
export class RecoveryScheduled extends Event("run-recovery.scheduled", recoveryStream, whose) {}

/** The attempt that recovers it runs, or waits for room. */
export class RecoveryLaunched extends Event("run-recovery.launched", recoveryStream, {
  ...whose,
  childAttemptId: Schema.String
}) {}

/** It will not be recovered: somebody cancelled that, or it became needless. */
export class RecoveryCancelled extends Event("run-recovery.cancelled", recoveryStream, whose) {}

/** It was recovered as often as a run is. */
export class RecoveryExhausted extends Event("run-recovery.exhausted", recoveryStream, whose) {}

/** The attempt that should recover it could not be launched. */
export class RecoveryFailed extends Event("run-recovery.failed", recoveryStream, whose) {}
