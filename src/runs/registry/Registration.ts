import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { openly } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { listOf, nonBlank, strict, text } from "../../kernel/Text.ts"
import { iso, Timestamp } from "../../kernel/Time.ts"
import { RuntimeManifest, RuntimeManifestDraft } from "../manifests/RuntimeManifest.ts"
import { unknownRuntime } from "../manifests/SynthesizeManifest.ts"

/** The most agents that are registered at once. */
export const registrationLimit = 500

/** How long an agent was not heard of before a new one may take its place in a registry that is full. */
export const forgottenMs = 24 * 60 * 60 * 1_000

/** How long a manifest is evidence after the last that was heard of its agent (ruling 76): the timeout changes nothing. */
export const evidenceMs = 5 * 60 * 1_000

/** What an agent says of itself. `offline` is also how one reads that was not heard of for too long. */
export const AgentState = Schema.Literal("online", "busy", "idle", "offline").annotations({
  identifier: "AgentState"
})
export type AgentState = typeof AgentState.Type

const Capability = Schema.Struct({ name: nonBlank(200), description: optional(text(2_000)) })

/** The id of an agent that registers: it is compared with the names of keys, so a secret in it is refused. */
const RegistryId = nonBlank(200, (plain) =>
  openly("Expected no secret: it is the name of an agent")(
    plain.pipe(
      Schema.maxLength(200, { message: () => "Expected at most 200 characters" }),
      Schema.filter((id) => !/^\.{1,2}$/.test(id), {
        message: () => "Expected a name that can stand in a path",
        jsonSchema: {}
      })
    )
  )
).annotations({ description: "The id of the agent; for a key of the role agent its own name" })

/** The same in a path: an unknown one is a 404. */
export const RegistryIdParam = IdParam.annotations({ description: "The id of a registered agent" })

const said = {
  id: RegistryId,
  name: nonBlank(200),
  model: optional(nonBlank(200)),
  provider: optional(nonBlank(200))
}

/** What an agent registers with (spec 1-core, Agent registration; ruling 76). */
export const RegistrationDraft = Schema.Struct({
  ...said,
  capabilities: Schema.optionalWith(listOf(Capability, 100), { default: () => [] }),
  version: optional(nonBlank(200)),
  providerRuntimeManifest: optional(Schema.NullOr(RuntimeManifestDraft))
}).annotations({ identifier: "RegistrationDraft", ...strict })
export type RegistrationDraft = typeof RegistrationDraft.Type

/** What an agent says of itself while it lives. What a body does not name stays as it is. */
export const Heartbeat = Schema.Struct({
  status: AgentState,
  currentTaskId: optional(Schema.NullOr(nonBlank(200))),
  currentTaskTitle: optional(Schema.NullOr(nonBlank(500))),
  providerRuntimeManifest: optional(Schema.NullOr(RuntimeManifestDraft))
}).annotations({ identifier: "AgentHeartbeat", ...strict })
export type Heartbeat = typeof Heartbeat.Type

/** What of a registration only another one changes. */
export const Profile = Schema.Struct({
  ...said,
  capabilities: Schema.Array(Capability),
  version: optional(Schema.String)
})
export type Profile = typeof Profile.Type

/** An agent that registered itself, as readers see it. */
export const Registration = Schema.Struct({
  ...Profile.fields,
  status: AgentState,
  currentTaskId: Schema.NullOr(Schema.String),
  currentTaskTitle: Schema.NullOr(Schema.String),
  lastHeartbeatAt: Timestamp.annotations({
    description: "Or when it registered, before its first heartbeat"
  }),
  registeredAt: Timestamp,
  providerRuntimeManifest: RuntimeManifest
}).annotations({ identifier: "AgentRegistration" })
export type Registration = typeof Registration.Type

/** What is stored of a registration; times in milliseconds since the epoch. */
export interface StoredRegistration {
  readonly profile: Profile
  readonly manifest: RuntimeManifest
  /** As the agent last said it, whenever that was. */
  readonly status: AgentState
  readonly currentTaskId: string | null
  readonly currentTaskTitle: string | null
  readonly registeredAt: number
  readonly heartbeatAt: number
}

/** The manifest of an agent that brought none. */
const withoutManifest = ({ model, provider, version }: Omit<RegistrationDraft, "providerRuntimeManifest">) =>
  unknownRuntime({ provider: provider ?? "gateway", adapter: "gateway", model, version })

/** A new registration. Registering is the first that is heard of an agent. */
export const register = (
  { providerRuntimeManifest, ...profile }: RegistrationDraft,
  at: number
): StoredRegistration => ({
  profile,
  manifest: providerRuntimeManifest ?? withoutManifest(profile),
  status: "online",
  currentTaskId: null,
  currentTaskTitle: null,
  registeredAt: at,
  heartbeatAt: at
})

/**
 * A registration after a heartbeat. Another task has no title until it is given one, and who is idle or offline works on
 * nothing, unless the heartbeat says so.
 */
export const beat = (before: StoredRegistration, heartbeat: Heartbeat, at: number): StoredRegistration => {
  const { currentTaskId, currentTaskTitle, providerRuntimeManifest, status } = heartbeat
  const rests = status === "idle" || status === "offline"
  const taskId = currentTaskId === undefined ? (rests ? null : before.currentTaskId) : currentTaskId
  const isSameTask = taskId !== null && taskId === before.currentTaskId
  return {
    ...before,
    manifest: providerRuntimeManifest ?? before.manifest,
    status,
    currentTaskId: taskId,
    currentTaskTitle:
      currentTaskTitle === undefined ? (isSameTask ? before.currentTaskTitle : null) : currentTaskTitle,
    heartbeatAt: at
  }
}

/** What an agent reads as now: one that was not heard of for the timeout is offline, whatever it said. */
export const stateAt = (
  { heartbeatAt, status }: Pick<StoredRegistration, "heartbeatAt" | "status">,
  at: number,
  timeoutMs: number
): AgentState => (at - heartbeatAt >= timeoutMs ? "offline" : status)

/** Whether the manifest of an agent is evidence now: it was heard of lately, and did not take its leave. */
export const isEvidence = (
  { heartbeatAt, status }: Pick<StoredRegistration, "heartbeatAt" | "status">,
  at: number
): boolean => status !== "offline" && at - heartbeatAt < evidenceMs

/** A registration as readers see it. */
export const shown = (stored: StoredRegistration, at: number, timeoutMs: number): Registration => ({
  ...stored.profile,
  status: stateAt(stored, at, timeoutMs),
  currentTaskId: stored.currentTaskId,
  currentTaskTitle: stored.currentTaskTitle,
  lastHeartbeatAt: iso(stored.heartbeatAt),
  registeredAt: iso(stored.registeredAt),
  providerRuntimeManifest: stored.manifest
})
