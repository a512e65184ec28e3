import { Schema } from "effect"
import { secretFreeJson } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { strict } from "../../kernel/Text.ts"

/** How a ceremony gate behaves: not at all, as a warning, or as a block. */
export const CeremonyMode = Schema.Literal("off", "warn", "block")

const gates = {
  squadChat: Schema.Boolean.annotations({ description: "Posts task lifecycle events to squad chat" }),
  reviewGate: Schema.Boolean.annotations({ description: "Completion needs all four review scores at 10" }),
  closingComments: Schema.Boolean.annotations({
    description: "Completion needs a comment of 20 or more characters"
  }),
  autoTelemetry: Schema.Boolean.annotations({
    description: "Status changes emit run.started and run.completed"
  }),
  autoTimeTracking: Schema.Boolean.annotations({ description: "Status changes start and stop the timer" }),
  orchestratorDelegation: Schema.Boolean.annotations({
    description: "Reported delegation violations are warned of"
  }),
  ceremonyDesignReview: CeremonyMode,
  ceremonyFailureRetrospective: CeremonyMode
}

/** The enforcement gates (spec 1-core, Enforcement gates). All are off until somebody turns them on. */
export const Enforcement = Schema.Struct(gates).annotations({ identifier: "Enforcement" })
export type Enforcement = typeof Enforcement.Type

export const noEnforcement: Enforcement = {
  squadChat: false,
  reviewGate: false,
  closingComments: false,
  autoTelemetry: false,
  autoTimeTracking: false,
  orchestratorDelegation: false,
  ceremonyDesignReview: "off",
  ceremonyFailureRetrospective: "off"
}

/** What watches runs and what admits them is configured here and read by document 3's rooms. */
const OpenObject = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/**
 * The feature settings (spec 1-core, Feature settings). `enforcement` is absent when it was removed: then every gate is
 * skipped. The feature `squadChat` shows the channel, the gate `squadChat` posts to it; neither needs the other.
 */
export const Features = Schema.Struct({
  darkMode: Schema.Boolean,
  squadChat: Schema.Boolean,
  analyticsEnabled: Schema.Boolean,
  enforcement: optional(Enforcement),
  watcherContinuations: optional(OpenObject),
  admission: optional(OpenObject)
}).annotations({ identifier: "Features" })
export type Features = typeof Features.Type

export const defaultFeatures: Features = {
  darkMode: false,
  squadChat: true,
  analyticsEnabled: true,
  enforcement: noEnforcement
}

const EnforcementPatch = Schema.Struct({
  squadChat: optional(gates.squadChat),
  reviewGate: optional(gates.reviewGate),
  closingComments: optional(gates.closingComments),
  autoTelemetry: optional(gates.autoTelemetry),
  autoTimeTracking: optional(gates.autoTimeTracking),
  orchestratorDelegation: optional(gates.orchestratorDelegation),
  ceremonyDesignReview: optional(gates.ceremonyDesignReview),
  ceremonyFailureRetrospective: optional(gates.ceremonyFailureRetrospective)
}).annotations({ identifier: "EnforcementPatch", ...strict })

const runFeatures = {
  watcherContinuations: optional(secretFreeJson(OpenObject)),
  admission: optional(secretFreeJson(OpenObject))
}

/**
 * The body of a settings patch: what it names changes, key by key in `enforcement` too; `enforcement: null` removes the
 * gates. The two features of runs are also taken under `features`. An unknown name is refused, because a gate that is
 * misspelled is a gate that is open.
 */
export const FeaturesPatch = Schema.Struct({
  darkMode: optional(Schema.Boolean),
  squadChat: optional(Schema.Boolean),
  analyticsEnabled: optional(Schema.Boolean),
  enforcement: optional(Schema.NullOr(EnforcementPatch)),
  ...runFeatures,
  features: optional(Schema.Struct(runFeatures).annotations(strict))
}).annotations({ identifier: "FeaturesPatch", ...strict })
export type FeaturesPatch = typeof FeaturesPatch.Type

/** The settings with a patch applied. */
export const applyPatch = (settings: Features, patch: FeaturesPatch): Features => {
  const { enforcement, features, ...named } = patch
  const { enforcement: before, ...rest } = { ...settings, ...features, ...named }
  if (enforcement === null) return rest
  if (enforcement === undefined) return before === undefined ? rest : { ...rest, enforcement: before }
  return { ...rest, enforcement: { ...noEnforcement, ...before, ...enforcement } }
}
