import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { LimitingScope } from "../capacity/Capacity.ts"
import { Outcome } from "./Entry.ts"

const launch = { taskId: Schema.String, attemptId: Schema.String, source: Schema.String }

/** A launch waits for capacity. */
export class AdmissionQueued extends Event("admission-queue.entered", "admission-queue", {
  ...launch,
  priority: Schema.String
}) {}

/** A launch that waited starts. */
export class AdmissionDispatched extends Event("admission-queue.dispatched", "admission-queue", launch) {}

/** A launch that waited will not start. */
export class AdmissionEnded extends Event("admission-queue.ended", "admission-queue", {
  ...launch,
  outcome: Outcome
}) {}

/** A launch was refused: `overload`, there is no room and no queue; `policy-denied`, there never will be room. */
export class AdmissionRefused extends Event("admission.refused", "admission", {
  ...launch,
  decision: Schema.Literal("overload", "policy-denied"),
  limitingScopes: Schema.Array(LimitingScope.pick("scope"))
}) {}
