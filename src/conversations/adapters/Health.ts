import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Timestamp } from "../../kernel/Time.ts"

/** The overall state of an adapter (decision 24). */
export const HealthStatus = Schema.Literal(
  "healthy",
  "degraded",
  "unsupported",
  "unhealthy",
  "disabled"
).annotations({ identifier: "AdapterHealthStatus" })
export type HealthStatus = typeof HealthStatus.Type

/** One thing that was looked at, independent of the others. */
export const Check = Schema.Struct({
  id: Schema.String,
  status: Schema.Literal("verified", "not_reported", "not_enforced", "unverified", "failed"),
  detail: Schema.String
}).annotations({ identifier: "AdapterCheck" })
export type Check = typeof Check.Type

const Endpoints = Schema.Struct({
  http: Schema.NullOr(Schema.String),
  webSocket: Schema.NullOr(Schema.String)
})

/** Where a reader of the channel stands: the last event that is stored together with all events before it. */
const CursorFacet = Schema.Struct({
  createdAt: Schema.NullOr(Schema.Int),
  eventId: Schema.NullOr(Schema.String),
  confirmedAt: Schema.NullOr(Timestamp),
  pendingReplies: Schema.Int,
  catchingUp: Schema.Boolean
})

const RuntimeFacets = Schema.Struct({
  status: Schema.Literal("healthy", "degraded", "disabled"),
  reasonCode: Schema.String,
  transport: Schema.Struct({
    state: Schema.Literal("disconnected", "connecting", "authenticated"),
    reasonCode: Schema.String,
    connectedAt: Schema.NullOr(Timestamp),
    reconnects: Schema.Int,
    nextAttemptAt: Schema.NullOr(Timestamp),
    skewSeconds: Schema.NullOr(Schema.Int)
  }),
  subscription: Schema.Struct({
    state: Schema.Literal("inactive", "connecting", "active"),
    channelId: Schema.NullOr(Schema.String),
    reasonCode: Schema.String,
    lastEventAt: Schema.NullOr(Timestamp)
  }),
  cursor: CursorFacet,
  send: Schema.Struct({
    queued: Schema.Int,
    unknown: Schema.Int,
    lastSuccessAt: Schema.NullOr(Timestamp)
  })
}).annotations({ identifier: "AdapterRuntime" })
export type RuntimeFacets = typeof RuntimeFacets.Type

/**
 * What is known of an adapter (spec 2-relay, Health). A team chat has no compatibility and no runtime: its status
 * comes from its configuration.
 */
export const Health = Schema.Struct({
  adapterId: Schema.String,
  kind: Schema.Literal("relay", "teamchat"),
  status: HealthStatus,
  reasonCode: Schema.String,
  message: Schema.String,
  compatibility: optional(
    Schema.Struct({
      status: Schema.Literal("healthy", "unhealthy", "unsupported", "unknown"),
      reasonCode: Schema.String,
      checkedAt: Schema.NullOr(Timestamp),
      evidence: Schema.NullOr(Schema.String)
    })
  ),
  runtime: optional(RuntimeFacets),
  configured: Endpoints,
  resolved: Endpoints,
  expectedCommunity: Schema.NullOr(Schema.String),
  observedCommunity: Schema.NullOr(Schema.String),
  observedVersion: Schema.NullOr(Schema.String),
  publicKeyFingerprint: Schema.NullOr(Schema.String),
  testedRelease: Schema.NullOr(Schema.String),
  testedCommit: Schema.NullOr(Schema.String),
  probeRevision: Schema.NullOr(Schema.String),
  contract: Schema.NullOr(Schema.String),
  checks: Schema.Array(Check),
  command: optional(
    Schema.Struct({
      status: Schema.Literal("not_run", "ok", "failed"),
      version: Schema.NullOr(Schema.String),
      checkedAt: Schema.NullOr(Timestamp)
    })
  ),
  canSend: Schema.Boolean,
  canReceiveReplies: Schema.Boolean,
  rejectedCount: Schema.Int
}).annotations({ identifier: "AdapterHealth" })
export type Health = typeof Health.Type
