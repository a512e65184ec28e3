import { Schema, Struct } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { strict } from "../../kernel/Text.ts"
import {
  AdmissionPatch,
  AdmissionSettings,
  applyAdmissionPatch,
  defaultAdmission,
  StoredAdmission
} from "./AdmissionSettings.ts"
import { change, setting } from "./Chosen.ts"
import { applyClaimsPatch, ClaimSettings, ClaimsPatch, defaultClaims, StoredClaims } from "./ClaimSettings.ts"
import {
  applyWatcherPatch,
  defaultWatcher,
  StoredWatcher,
  WatcherPatch,
  WatcherSettings
} from "./WatcherSettings.ts"

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

const AutoCommit = Schema.Boolean.annotations({
  description: "What a run leaves in its worktree is committed when it ends"
})

/**
 * The feature settings (spec 1-core, Feature settings). `enforcement` is absent when it was removed: then every gate is
 * skipped. The feature `squadChat` shows the channel, the gate `squadChat` posts to it; neither needs the other.
 */
export const Features = Schema.Struct({
  darkMode: Schema.Boolean,
  squadChat: Schema.Boolean,
  analyticsEnabled: Schema.Boolean,
  autoCommit: AutoCommit,
  enforcement: optional(Enforcement),
  watcherContinuations: WatcherSettings,
  admission: AdmissionSettings,
  claims: ClaimSettings
}).annotations({ identifier: "Features" })
export type Features = typeof Features.Type

/**
 * Settings that were stored before runs and claims had any: they took whatever came for `watcherContinuations` and
 * `admission`.
 */
export const StoredFeatures = Schema.Struct({
  ...Struct.omit(Features.fields, "autoCommit", "watcherContinuations", "admission", "claims"),
  autoCommit: optional(Schema.Unknown),
  watcherContinuations: optional(Schema.Unknown),
  admission: optional(Schema.Unknown),
  claims: optional(Schema.Unknown)
})

const RunFeatures = Schema.Struct({
  autoCommit: setting(AutoCommit, false),
  watcherContinuations: setting(StoredWatcher, defaultWatcher),
  admission: setting(StoredAdmission, defaultAdmission),
  claims: setting(StoredClaims, defaultClaims)
})

/** The settings in force by what is stored of them. What stands there and would be refused today is at its default. */
export const inForce = (stored: typeof StoredFeatures.Type): Features => ({
  ...stored,
  ...Schema.decodeUnknownSync(RunFeatures)(stored)
})

export const defaultFeatures: Features = {
  darkMode: false,
  squadChat: true,
  analyticsEnabled: true,
  autoCommit: false,
  enforcement: noEnforcement,
  watcherContinuations: defaultWatcher,
  admission: defaultAdmission,
  claims: defaultClaims
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
  watcherContinuations: change(WatcherPatch),
  admission: change(AdmissionPatch),
  claims: change(ClaimsPatch)
}

/**
 * The body of a settings patch: what it names changes, part by part; `enforcement: null` removes the gates, any other
 * null brings a default back or takes a limit away. What is set of runs and claims is also taken under `features`. An unknown
 * name is refused, because a gate that is misspelled is a gate that is open.
 */
export const FeaturesPatch = Schema.Struct({
  darkMode: optional(Schema.Boolean),
  squadChat: optional(Schema.Boolean),
  analyticsEnabled: optional(Schema.Boolean),
  autoCommit: change(AutoCommit),
  enforcement: optional(Schema.NullOr(EnforcementPatch)),
  ...runFeatures,
  features: optional(Schema.Struct(runFeatures).annotations(strict))
}).annotations({ identifier: "FeaturesPatch", ...strict })
export type FeaturesPatch = typeof FeaturesPatch.Type

/** The settings with a patch applied; what it names itself comes after what it names under `features`. */
export const applyPatch = (settings: Features, patch: FeaturesPatch): Features => {
  const {
    admission,
    autoCommit = settings.autoCommit,
    claims,
    enforcement,
    features = {},
    watcherContinuations,
    ...named
  } = patch
  const { enforcement: before, ...rest } = {
    ...settings,
    ...named,
    autoCommit: autoCommit ?? defaultFeatures.autoCommit,
    claims: applyClaimsPatch(applyClaimsPatch(settings.claims, features.claims), claims),
    admission: applyAdmissionPatch(applyAdmissionPatch(settings.admission, features.admission), admission),
    watcherContinuations: applyWatcherPatch(
      applyWatcherPatch(settings.watcherContinuations, features.watcherContinuations),
      watcherContinuations
    )
  }
  if (enforcement === null) return rest
  if (enforcement === undefined) return before === undefined ? rest : { ...rest, enforcement: before }
  return { ...rest, enforcement: { ...noEnforcement, ...before, ...enforcement } }
}
