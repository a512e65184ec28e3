import { Data, Schema } from "effect"
import { RecoveryState } from "./RunRecovery.ts"

/** Nothing waits to recover this attempt: another one is recovered, or it is settled already. Nothing was changed. */
export class RecoveryNotPending extends Schema.TaggedError<RecoveryNotPending>()("RecoveryNotPending", {
  taskId: Schema.String,
  attemptId: Schema.String,
  /** The attempt that is recovered, and where that stands; null when the task has no recovery. */
  recovered: Schema.NullOr(Schema.Struct({ attemptId: Schema.String, state: RecoveryState }))
}) {}

/** A recovery is no longer wanted at the moment in which it would be launched. */
export class RecoveryUnwanted extends Data.TaggedError("RecoveryUnwanted")<{ readonly reason: string }> {}
