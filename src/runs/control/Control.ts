import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, nonBlank } from "../../kernel/Text.ts"
import { AttemptStatus } from "../attempts/AttemptStatus.ts"
import { AttemptIdParam } from "../completion/Completion.ts"
import { CompletionResult } from "../documents/CompletionResult.ts"
import { LaunchManifest } from "../documents/LaunchManifest.ts"
import { CompletionStatus } from "../documents/Policies.ts"
import { TaskEnvelope } from "../documents/TaskEnvelope.ts"
import { runControls } from "../manifests/RunControls.ts"
import { CapabilityState, RuntimeManifest } from "../manifests/RuntimeManifest.ts"
import { Usage, UsageReport } from "../usage/Usage.ts"

/** What can be done with a run now, or why not (rulings 80, 90). */
export const ShownControl = Schema.Struct({
  action: Schema.String,
  label: Schema.String,
  capabilityId: Schema.String,
  state: CapabilityState,
  available: Schema.Boolean,
  advisory: Schema.Boolean,
  reason: optional(Schema.String)
}).annotations({ identifier: "RunControl" })
export type ShownControl = typeof ShownControl.Type

/** Where the work on a task stands: its active attempt, else its last one, else none. */
export const RunStatus = Schema.Struct({
  taskId: Schema.String,
  running: Schema.Boolean,
  attemptId: Schema.NullOr(Schema.String),
  status: Schema.NullOr(AttemptStatus),
  agent: Schema.NullOr(Schema.String),
  provider: Schema.NullOr(Schema.String),
  queueId: optional(Schema.String),
  parentAttemptId: optional(Schema.String),
  startedAt: optional(Schema.String),
  endedAt: optional(Schema.String),
  providerRuntimeManifest: Schema.NullOr(RuntimeManifest),
  runLaunchManifest: Schema.NullOr(LaunchManifest),
  taskEnvelope: Schema.NullOr(TaskEnvelope),
  completionResult: optional(CompletionResult),
  usage: Schema.Array(Usage),
  controls: Schema.Struct({
    manifestDigest: Schema.NullOr(Schema.String),
    probeState: Schema.String,
    controls: Schema.Array(ShownControl)
  })
}).annotations({ identifier: "RunStatus" })
export type RunStatus = typeof RunStatus.Type

/** Why a control is not to be had, where the runtime itself would have it. */
const idle = "No attempt runs"

/** All controls of a run. Those that its runtime has are there while it runs; an advisory one is not held to. */
export const controlsOf = (
  manifest: Pick<RuntimeManifest, "capabilities"> | null,
  running: boolean
): ReadonlyArray<ShownControl> => {
  const known = new Map((manifest?.capabilities ?? []).map((capability) => [capability.id, capability]))
  return runControls.map(({ action, capabilityId, label }) => {
    const capability = known.get(capabilityId)
    const state = capability?.state ?? "unknown"
    const usable = state === "supported" || state === "advisory"
    const available = usable && running
    const reason = usable && !running ? idle : (capability?.reason ?? undefined)
    return {
      action,
      label,
      capabilityId,
      state,
      available,
      advisory: state === "advisory",
      ...(available && state === "supported" ? {} : { reason: reason ?? "Nobody has found out" })
    }
  })
}

export const StopCall = Schema.Struct({ attemptId: AttemptIdParam }).annotations({
  identifier: "StopCall",
  ...everyIssue
})

/** The outcome of a stop: the same however often it is asked for. */
export const Stopped = Schema.Struct({
  success: Schema.Literal(true),
  taskId: Schema.String,
  attemptId: Schema.String,
  status: CompletionStatus
}).annotations({ identifier: "AttemptStopped" })
export type Stopped = typeof Stopped.Type

export const TokensCall = Schema.Struct({ attemptId: AttemptIdParam, usage: UsageReport }).annotations({
  identifier: "TokensCall",
  ...everyIssue
})
export type TokensCall = typeof TokensCall.Type

export const TokensCounted = Schema.Struct({
  success: Schema.Literal(true),
  taskId: Schema.String,
  attemptId: Schema.String,
  usage: Schema.Array(Usage)
}).annotations({ identifier: "TokensCounted" })

export const MessageCall = Schema.Struct({
  attemptId: AttemptIdParam,
  message: nonBlank(20_000),
  actor: optional(nonBlank(200))
}).annotations({ identifier: "MessageCall", ...everyIssue })
export type MessageCall = typeof MessageCall.Type

/** Whether a message reached the agent. It is recorded among the run's events either way. */
export const MessageTaken = Schema.Struct({
  taskId: Schema.String,
  attemptId: Schema.String,
  messageId: Schema.String,
  delivered: Schema.Boolean,
  reason: optional(Schema.String)
}).annotations({ identifier: "MessageTaken" })
export type MessageTaken = typeof MessageTaken.Type
