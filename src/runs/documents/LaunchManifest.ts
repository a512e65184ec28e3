import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Phase, PhaseEvidence, Remark } from "./Phase.ts"
import { CommitPolicy, DocumentDigest } from "./Policies.ts"

/** Where an effective field came from, the strongest first. */
export const Origin = Schema.Literal("run", "task", "profile", "agent", "settings", "default")
export type Origin = typeof Origin.Type

/**
 * What a run was launched with (spec 3-runs, Run launch manifest; ruling 104). It never changes: what is edited later
 * leaves it as it is. `inputs` holds no secret; of instructions there are fingerprints alone.
 */
const fields = {
  schemaVersion: Schema.Literal("run-launch-manifest/v1"),
  taskId: Schema.String,
  attemptId: optional(Schema.String),
  agent: Schema.String,
  providerRuntime: Schema.Struct({
    digest: Schema.String,
    provider: Schema.String,
    probeRevision: Schema.Int
  }),
  runtime: Schema.Struct({
    command: Schema.NullOr(Schema.String),
    args: Schema.Array(Schema.String),
    model: Schema.NullOr(Schema.String)
  }),
  phase: Phase,
  phaseEvidence: PhaseEvidence,
  commitPolicy: CommitPolicy,
  sandboxPresetId: optional(Schema.String),
  inputs: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  instructions: Schema.Array(
    Schema.Struct({ source: Schema.String, sha256: Schema.String, bytes: Schema.Int })
  ),
  origins: Schema.Record({ key: Schema.String, value: Origin }),
  resources: Schema.Struct({ shared: Schema.Array(Schema.String) }),
  enforcement: Schema.Struct({
    enforceable: Schema.Boolean,
    blockers: Schema.Array(Remark),
    warnings: Schema.Array(Remark)
  })
}

export const LaunchManifest = Schema.Struct({ ...fields, digest: DocumentDigest }).annotations({
  identifier: "RunLaunchManifest"
})
export type LaunchManifest = typeof LaunchManifest.Type
