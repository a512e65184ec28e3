import { Schema } from "effect"
import { canonicalize, isSealed, sealed } from "../../kernel/Digest.ts"
import { openlyThroughout } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { integer, isClean, listOf, strict } from "../../kernel/Text.ts"
import { iso, parseInstant } from "../../kernel/Time.ts"

export const manifestVersion = "provider-runtime-manifest/v1" as const

/** The most that a manifest may hold, in UTF-16 units of its canonical JSON. */
const sizeLimit = 65_536

/**
 * Text exactly as it was sent: the digest is over it, so nothing is trimmed and nothing taken out. A secret in it is a
 * fault of the whole manifest.
 */
const asSent = (max: number) =>
  Schema.String.pipe(
    Schema.maxLength(max, { message: () => `Expected at most ${max} characters` }),
    Schema.filter(isClean, {
      message: () => "Expected well-formed Unicode without NUL characters",
      jsonSchema: {}
    })
  )

const named = (max: number) =>
  asSent(max).pipe(
    Schema.filter((said) => said.trim() !== "", {
      message: () => "Expected text that is not blank",
      jsonSchema: { minLength: 1 }
    })
  )

/** How far a runtime can do something. */
export const CapabilityState = Schema.Literal("supported", "advisory", "unsupported", "unknown").annotations({
  identifier: "CapabilityState",
  description:
    "`supported`: it does. `advisory`: it is asked to, and nothing holds it to it. `unsupported`: it does not. `unknown`: nobody has found out."
})
export type CapabilityState = typeof CapabilityState.Type

/** Something that a runtime can do or not, who says so, and why. */
export const RuntimeCapability = Schema.Struct({
  id: named(200),
  state: CapabilityState,
  source: optional(Schema.NullOr(asSent(200))),
  reason: optional(Schema.NullOr(asSent(1_000)))
}).annotations({ identifier: "RuntimeCapability" })
export type RuntimeCapability = typeof RuntimeCapability.Type

const ProbeTime = Schema.String.pipe(
  Schema.filter((said) => said.length <= 64 && parseInstant(said) !== undefined, {
    message: () => "Expected an ISO 8601 date and time",
    jsonSchema: { format: "date-time" },
    // Hardly any text is a time: whoever makes examples would look for one for good.
    arbitrary: () => (random) => random.integer({ min: 0, max: 4_102_444_800_000 }).map(iso)
  })
)

/** How the runtime was looked at: `passed`, `failed`, or `unknown` when nobody has, or it did not say its version. */
export const RuntimeProbe = Schema.Struct({
  state: Schema.Literal("passed", "failed", "unknown"),
  probedAt: Schema.NullOr(ProbeTime),
  source: asSent(200),
  diagnostics: listOf(asSent(1_000), 50)
}).annotations({ identifier: "RuntimeProbe" })
export type RuntimeProbe = typeof RuntimeProbe.Type

const content = {
  schemaVersion: Schema.Literal(manifestVersion),
  probeRevision: integer(0, Number.MAX_SAFE_INTEGER),
  provider: named(200),
  adapter: named(200),
  protocolVersion: Schema.NullOr(asSent(200)),
  providerVersion: Schema.NullOr(asSent(200)),
  models: listOf(asSent(200), 200),
  capabilities: listOf(RuntimeCapability, 200),
  probe: RuntimeProbe
}

/** What runs an agent and what it can do, with the evidence for it (spec 3-runs, provider-runtime-manifest/v1). */
export const RuntimeManifest = Schema.Struct({
  ...content,
  digest: Schema.String.annotations({ description: "`sha256:` and 64 hex digits over all else" })
}).annotations({ identifier: "ProviderRuntimeManifest" })
export type RuntimeManifest = typeof RuntimeManifest.Type

const Draft = Schema.Struct({ ...content, digest: optional(Schema.NullOr(asSent(200))) }).annotations(strict)
type Draft = typeof Draft.Type

/** What is wrong with a manifest whose members are each well-formed. */
const faultsOf = (draft: Draft): ReadonlyArray<Schema.FilterIssue> => {
  const ids = draft.capabilities.map(({ id }) => id)
  const repeated = ids.flatMap((id, index) => (ids.indexOf(id) < index ? [index] : []))
  const { digest: given, ...all } = draft
  return [
    ...repeated.map((index) => ({
      path: ["capabilities", index, "id"],
      message: "Expected an id that no other capability has"
    })),
    ...(canonicalize(all).length > sizeLimit
      ? [{ path: [], message: `Expected at most ${sizeLimit} characters of JSON` }]
      : []),
    ...(typeof given === "string" && !isSealed({ ...all, digest: given })
      ? [{ path: ["digest"], message: "Expected the digest of the manifest without it, or none" }]
      : [])
  ]
}

/**
 * A manifest as somebody brings it. It is strict at every depth, a secret in it is a fault, and its digest may be absent:
 * then it is computed.
 */
export const RuntimeManifestDraft: Schema.Schema<RuntimeManifest, typeof Draft.Encoded> = openlyThroughout(
  Draft
).pipe(Schema.filter(faultsOf), (draft) =>
  Schema.transform(draft, Schema.typeSchema(RuntimeManifest), {
    strict: true,
    decode: sealed,
    // Whoever sends it need not say the digest.
    encode: ({ digest: _, ...all }) => all
  })
)

/** A manifest of a value that the service itself has put together. */
export const sealManifest = (all: Omit<RuntimeManifest, "digest" | "schemaVersion">): RuntimeManifest =>
  sealed({ schemaVersion: manifestVersion, ...all })
