import { Schema } from "effect"
import { RuntimeManifest } from "../manifests/RuntimeManifest.ts"
import { RequiredCapabilities, selectRuntime } from "../manifests/SelectRuntime.ts"
import type { AgentRuntime } from "./AgentRuntime.ts"

/** The body of a preview: what a run would require of its runtime. */
export const HostPreviewRequest = Schema.Struct({
  requiredRuntimeCapabilities: RequiredCapabilities
}).annotations({ identifier: "HostPreviewRequest" })
export type HostPreviewRequest = typeof HostPreviewRequest.Type

/** An agent that could run it, or why not. */
const HostCandidate = Schema.Struct({
  agent: Schema.String,
  provider: Schema.String,
  manifestDigest: Schema.String,
  compatible: Schema.Boolean,
  reasons: Schema.Array(Schema.String)
}).annotations({ identifier: "HostCandidate" })
type HostCandidate = typeof HostCandidate.Type

/** Which runtimes have what is required (ruling 77). */
export const HostPreview = Schema.Struct({
  requiredCapabilities: Schema.Array(Schema.String),
  compatible: Schema.Boolean,
  selectedManifest: Schema.NullOr(RuntimeManifest),
  candidates: Schema.Array(HostCandidate)
}).annotations({ identifier: "HostPreview" })
export type HostPreview = typeof HostPreview.Type

const candidateOf = (
  required: ReadonlyArray<string>,
  { agent, enabled, manifest }: AgentRuntime
): HostCandidate => {
  const { compatible, reasons } = selectRuntime(required, manifest)
  return {
    agent,
    provider: manifest.provider,
    manifestDigest: manifest.digest,
    compatible: compatible && enabled,
    reasons: enabled ? reasons : ["It is switched off", ...reasons]
  }
}

/**
 * Judges every runtime by what is required. Selected is the compatible one with the fewest reservations; of equals the
 * first, and configured agents come before registered ones.
 */
export const preview = (
  required: ReadonlyArray<string>,
  runtimes: ReadonlyArray<AgentRuntime>
): HostPreview => {
  const judged = runtimes.map((runtime) => ({ runtime, candidate: candidateOf(required, runtime) }))
  const [selected] = judged
    .filter(({ candidate }) => candidate.compatible)
    .toSorted((one, other) => one.candidate.reasons.length - other.candidate.reasons.length)
  return {
    requiredCapabilities: required,
    compatible: selected !== undefined,
    selectedManifest: selected?.runtime.manifest ?? null,
    candidates: judged.map(({ candidate }) => candidate)
  }
}
