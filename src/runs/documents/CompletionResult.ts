import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { Artifact, Claims, Continuation, Verification } from "./Claims.ts"
import { PhaseEvidence } from "./Phase.ts"
import { CompletionStatus, DocumentDigest } from "./Policies.ts"

/** What ended an attempt (ruling 82). */
export const TerminalSource = Schema.Literal("callback", "process", "turn", "stop", "restart", "cancel")
export type TerminalSource = typeof TerminalSource.Type

/** How a process ended: with a code, or by a signal. */
export const Exit = Schema.Struct({ code: Schema.NullOr(Schema.Int), signal: Schema.NullOr(Schema.String) })
export type Exit = typeof Exit.Type

/** What the workspace had become when the service looked at it, against what it was when the run began. */
export const WorkspaceEvidence = Schema.Struct({
  baselineHead: Schema.NullOr(Schema.String),
  head: Schema.NullOr(Schema.String),
  commits: Schema.Int.annotations({ description: "Commits that HEAD has and the baseline had not" }),
  files: Schema.Array(Schema.String).annotations({ description: "Paths that are not what they were" }),
  truncated: Schema.Boolean,
  unreadable: optional(Schema.String)
}).annotations({ identifier: "WorkspaceEvidence" })
export type WorkspaceEvidence = typeof WorkspaceEvidence.Type

/** Whether what was expected is there. */
export const FoundOutput = Schema.Struct({
  id: Schema.String,
  required: Schema.Boolean,
  found: Schema.Boolean
}).annotations({ identifier: "FoundOutput" })
export type FoundOutput = typeof FoundOutput.Type

/** Something that the run did to the world, and whether its policy lets it (ruling 60). */
export const SideEffect = Schema.Struct({
  kind: Schema.Literal("filesystem-write", "git-ref", "git-push", "network-egress"),
  scope: Schema.String,
  authorized: Schema.Boolean
}).annotations({ identifier: "ObservedSideEffect" })
export type SideEffect = typeof SideEffect.Type

/** What the service saw itself. */
export const HarnessEvidence = Schema.Struct({
  observedAt: Timestamp,
  exit: optional(Exit),
  workspace: optional(WorkspaceEvidence),
  expectedOutputs: Schema.Array(FoundOutput)
}).annotations({ identifier: "HarnessEvidence" })
export type HarnessEvidence = typeof HarnessEvidence.Type

/** Why a success counts as less. */
export const Degradation = Schema.Struct({ code: Schema.String, message: Schema.String }).annotations({
  identifier: "CompletionDegradation"
})
export type Degradation = typeof Degradation.Type

/** A file that the run touched: as it says, and as the service saw. */
const TouchedFile = Schema.Struct({ path: Schema.String, claimed: Schema.Boolean, observed: Schema.Boolean })

/** The one result of an attempt (spec 3-runs, Completion result; ruling 82). */
export const CompletionResult = Schema.Struct({
  schemaVersion: Schema.Literal("completion-result/v1"),
  idempotencyKey: Schema.String,
  taskId: Schema.String,
  attemptId: Schema.String,
  status: CompletionStatus,
  summary: Schema.NullOr(Schema.String),
  completedAt: Timestamp,
  terminalSource: TerminalSource,
  bindings: Schema.Struct({
    providerRuntimeManifestDigest: Schema.NullOr(Schema.String),
    runLaunchManifestDigest: Schema.NullOr(Schema.String),
    taskEnvelopeDigest: Schema.NullOr(Schema.String)
  }),
  claims: Schema.NullOr(Schema.encodedSchema(Claims)),
  harnessEvidence: HarnessEvidence,
  files: Schema.Array(TouchedFile),
  artifacts: Schema.Array(Schema.encodedSchema(Artifact)),
  verification: Schema.Array(Schema.encodedSchema(Verification)),
  sideEffects: Schema.Array(SideEffect),
  continuation: Schema.NullOr(Schema.encodedSchema(Continuation)),
  phaseEvidence: Schema.NullOr(PhaseEvidence),
  degradations: Schema.Array(Degradation),
  digest: DocumentDigest
}).annotations({ identifier: "CompletionResult" })
export type CompletionResult = typeof CompletionResult.Type
