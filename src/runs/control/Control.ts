import { Schema } from "effect"
import type { AgentProvider } from "../../board/agents-config/AgentConfig.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, nonBlank } from "../../kernel/Text.ts"
import { AttemptStatus } from "../attempts/AttemptStatus.ts"
import { AttemptIdParam } from "../attempts/Params.ts"
import { CompletionResult } from "../documents/CompletionResult.ts"
import { LaunchManifest } from "../documents/LaunchManifest.ts"
import { CompletionStatus } from "../documents/Policies.ts"
import { TaskEnvelope } from "../documents/TaskEnvelope.ts"
import { runControls } from "../manifests/RunControls.ts"
import { CapabilityState, RuntimeManifest } from "../manifests/RuntimeManifest.ts"
import { usableAs } from "../manifests/SelectRuntime.ts"
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

/** What the runtime of a run is known by: its manifest, and how it is run. */
export interface ControlledRuntime {
  readonly manifest: Pick<RuntimeManifest, "capabilities">
  readonly provider: AgentProvider
}

/** All controls of a run. Those that its runtime has are there while it runs; an advisory one is not held to. */
export const controlsOf = (
  runtime: ControlledRuntime | undefined,
  running: boolean
): ReadonlyArray<ShownControl> =>
  runControls.map(({ action, capabilityId, label }) => {
    const { reason, state } =
      runtime === undefined
        ? { state: "unknown" as const, reason: null }
        : usableAs(capabilityId, runtime.manifest, runtime.provider)
    const usable = state === "supported" || state === "advisory"
    const available = usable && running
    const why = usable && !running ? "No attempt runs" : (reason ?? "No attempt runs")
    return {
      action,
      label,
      capabilityId,
      state,
      available,
      advisory: state === "advisory",
      ...(available && state === "supported" ? {} : { reason: why })
    }
  })

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
