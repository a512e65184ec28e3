import { Schema } from "effect"
import { openly } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, isClean, nonBlank } from "../../kernel/Text.ts"
import { LaunchManifest } from "../documents/LaunchManifest.ts"
import { Phase, Remark } from "../documents/Phase.ts"
import { CommitPolicy } from "../documents/Policies.ts"
import { RequiredCapabilities } from "../manifests/SelectRuntime.ts"

/** The key under which a start counts once, 8 to 240 characters. Its hash alone is stored. */
const key = Schema.String.pipe(
  Schema.minLength(8, { message: () => "Expected 8 to 240 characters" }),
  Schema.maxLength(240, { message: () => "Expected 8 to 240 characters" }),
  // Two keys that are no text would have one hash.
  Schema.filter(isClean, {
    message: () => "Expected well-formed Unicode without NUL characters",
    jsonSchema: {}
  }),
  openly()
)

/** The header that carries the key of a start; it wins over the body (spec 3-runs, Endpoints). */
export const LaunchHeaders = Schema.Struct({
  "x-idempotency-key": Schema.optional(
    key.annotations({ description: "The key under which this start counts once, 8 to 240 characters" })
  )
})

const id = nonBlank(200)

/** The body of a start and of its preview. Members that are not known are passed over. */
export const LaunchRequest = Schema.Struct({
  agent: optional(
    id.annotations({ description: "The type of a configured agent, or the id of a registered one" })
  ),
  profileId: optional(id),
  sandboxPresetId: optional(id),
  phase: optional(Phase),
  requiredRuntimeCapabilities: optional(RequiredCapabilities),
  commitPolicy: optional(CommitPolicy),
  parentAttemptId: optional(id),
  idempotencyKey: optional(key)
}).annotations({ identifier: "LaunchRequest", ...everyIssue })
export type LaunchRequest = typeof LaunchRequest.Type

/** What is launched, without the key that only says how often. */
export type Wish = Omit<LaunchRequest, "idempotencyKey">

/** What a dependency of the launch lets through now (spec 1-core, Dependency circuits). */
export const DependencyCircuit = Schema.Struct({
  key: Schema.String,
  state: Schema.String,
  override: optional(Schema.String)
}).annotations({ identifier: "LaunchDependencyCircuit" })
export type DependencyCircuit = typeof DependencyCircuit.Type

/** What would be launched, and what stands against it. `drift` is there with a parent that differs. */
export const LaunchPreview = Schema.Struct({
  manifest: LaunchManifest,
  dependencyCircuits: Schema.Array(DependencyCircuit),
  blockers: Schema.Array(Remark),
  warnings: Schema.Array(Remark),
  parentAttemptId: optional(Schema.String),
  drift: optional(
    Schema.Array(Schema.Struct({ field: Schema.String, parent: Schema.Unknown, now: Schema.Unknown }))
  )
}).annotations({ identifier: "LaunchPreview" })
export type LaunchPreview = typeof LaunchPreview.Type

/** An attempt that runs (decision 41). */
export const Started = Schema.Struct({
  taskId: Schema.String,
  attemptId: Schema.String,
  agent: Schema.String,
  provider: Schema.String,
  status: Schema.Literal("running"),
  startedAt: Schema.String,
  providerRuntimeManifestDigest: Schema.String,
  runLaunchManifestDigest: Schema.String,
  taskEnvelopeDigest: Schema.String,
  parentAttemptId: optional(Schema.String)
}).annotations({ identifier: "AttemptStarted" })
export type Started = typeof Started.Type

/** A launch that found no room and waits: it begins by itself, and nobody launches it a second time. */
export const Queued = Schema.Struct({
  taskId: Schema.String,
  attemptId: Schema.String,
  queueId: Schema.String,
  agent: Schema.String,
  provider: Schema.String,
  status: Schema.Literal("queued"),
  enqueuedAt: Schema.String,
  retryAfterMs: Schema.Int,
  limitingScopes: Schema.Array(Schema.Struct({ scope: Schema.String, scopeId: Schema.String }))
}).annotations({ identifier: "AttemptQueued" })
export type Queued = typeof Queued.Type

/** What a start is answered. */
export const Launched = Schema.Union(Queued, Started)
export type Launched = typeof Launched.Type
