import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, listOf, nonBlank } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { NetworkEgress } from "./NetworkEgress.ts"

/** A name or an id. */
const Name = nonBlank(200)

/** An amount: finite, and not below zero. */
const Amount = Schema.Number.pipe(
  Schema.filter((value) => value >= 0 && value <= Number.MAX_SAFE_INTEGER, {
    message: () => `Expected a number from 0 to ${Number.MAX_SAFE_INTEGER}`,
    jsonSchema: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
  })
)

const started = { type: Schema.Literal("run.started"), taskId: Name, agent: Name }
const completed = {
  type: Schema.Literal("run.completed"),
  taskId: Name,
  agent: Name,
  durationMs: optional(Amount),
  success: optional(Schema.Boolean)
}
const tokens = {
  type: Schema.Literal("run.tokens"),
  taskId: Name,
  agent: optional(Name),
  model: optional(Name),
  inputTokens: optional(Amount),
  outputTokens: optional(Amount),
  cacheTokens: optional(Amount),
  cost: optional(Amount.annotations({ description: "In US dollars" }))
}

/** What an agent reports about a run (spec 1-core, Telemetry event). The task need not be on this board. */
export const TelemetryDraft = Schema.Union(
  Schema.Struct(started).annotations({ identifier: "RunStartedDraft" }),
  Schema.Struct(completed).annotations({ identifier: "RunCompletedDraft" }),
  Schema.Struct(tokens).annotations({ identifier: "RunTokensDraft" })
).annotations({ identifier: "TelemetryDraft", ...everyIssue })
export type TelemetryDraft = typeof TelemetryDraft.Type

const drafts = listOf(TelemetryDraft, 1_000).pipe(
  Schema.minItems(1, { message: () => "Expected at least one event" })
)

/** The body of a bulk report: 1 to 1,000 events, all of them or none. */
export const TelemetryBulk = Schema.Struct({ events: drafts }).annotations({
  identifier: "TelemetryBulk",
  ...everyIssue
})

/** What the service adds to an event when it records it. */
const origin = { id: Schema.String, timestamp: Timestamp }

/** An event as it was recorded. `network.egress` is internal: the service alone records it, and admins alone see it. */
export const TelemetryEvent = Schema.Union(
  Schema.Struct({ ...origin, ...started }).annotations({ identifier: "RunStarted" }),
  Schema.Struct({ ...origin, ...completed }).annotations({ identifier: "RunCompleted" }),
  Schema.Struct({ ...origin, ...tokens }).annotations({ identifier: "RunTokens" }),
  Schema.Struct({ ...origin, ...NetworkEgress.fields }).annotations({ identifier: "NetworkEgressEvent" })
).annotations({ identifier: "TelemetryEvent" })
export type TelemetryEvent = typeof TelemetryEvent.Type

/** The types of events, the internal one last. */
export const TelemetryType = Schema.Literal("run.started", "run.completed", "run.tokens", "network.egress")
export type TelemetryType = typeof TelemetryType.Type
