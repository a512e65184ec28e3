import { Schema } from "effect"
import { DocumentDigest } from "./Policies.ts"

/** What a run is about, from looking to publishing (spec 3-runs, Status sets). */
export const Phase = Schema.Literal("explore", "plan", "implement", "verify", "publish").annotations({
  identifier: "Phase"
})
export type Phase = typeof Phase.Type

const Leave = Schema.Literal("allow", "ask", "deny")
export type Leave = typeof Leave.Type

export const Dimensions = Schema.Struct({
  filesystem: Leave,
  shell: Leave,
  network: Leave,
  tools: Leave,
  commit: Leave,
  publish: Leave
})

/** What is held against a launch, or said of it: a code for programs, a sentence for people. */
export const Remark = Schema.Struct({ code: Schema.String, message: Schema.String }).annotations({
  identifier: "LaunchRemark"
})
export type Remark = typeof Remark.Type

/** What a phase leaves a run, and what stands behind it (ruling 29, 56). */
export const PhaseEvidence = Schema.Struct({
  schemaVersion: Schema.Literal("phase-capability-evidence/v1"),
  phase: Phase,
  dimensions: Dimensions,
  enforcement: Schema.Struct({
    enforceable: Schema.Boolean,
    blockers: Schema.Array(Remark),
    warnings: Schema.Array(Remark)
  }),
  digest: DocumentDigest
}).annotations({ identifier: "PhaseEvidence" })
export type PhaseEvidence = typeof PhaseEvidence.Type

/** What each phase leaves. Who explores or plans writes nothing and commits nothing; who implements publishes nothing. */
export const leavesOf: Readonly<Record<Phase, typeof Dimensions.Type>> = {
  explore: {
    filesystem: "deny",
    shell: "ask",
    network: "ask",
    tools: "allow",
    commit: "deny",
    publish: "deny"
  },
  plan: { filesystem: "deny", shell: "ask", network: "ask", tools: "allow", commit: "deny", publish: "deny" },
  implement: {
    filesystem: "allow",
    shell: "allow",
    network: "allow",
    tools: "allow",
    commit: "allow",
    publish: "deny"
  },
  verify: {
    filesystem: "ask",
    shell: "allow",
    network: "allow",
    tools: "allow",
    commit: "deny",
    publish: "deny"
  },
  publish: {
    filesystem: "allow",
    shell: "allow",
    network: "allow",
    tools: "allow",
    commit: "allow",
    publish: "allow"
  }
}
