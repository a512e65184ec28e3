import { Schema } from "effect"
import { digest } from "../../kernel/Digest.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import { Check } from "../adapters/Health.ts"
import { Reason, sentences } from "../wire/Reason.ts"
import { baselineDigest } from "./Baseline.ts"

/** What a probe found. It counts as long as configuration and baseline are the ones that it was gathered under. */
export const Evidence = Schema.Struct({
  status: Schema.Literal("healthy", "unhealthy", "unsupported"),
  reason: Reason,
  checks: Schema.Array(Check),
  observedCommunity: Schema.NullOr(Schema.String),
  observedVersion: Schema.NullOr(Schema.String),
  skewSeconds: Schema.NullOr(Schema.Number),
  /** Milliseconds since the epoch. */
  checkedAt: Schema.Int,
  configuration: Schema.String,
  baseline: Schema.String
})
export type Evidence = typeof Evidence.Type

/** The digest of what a probe depends on: names and switches are left out. */
export const configurationOf = ({
  createdAt: _created,
  displayName: _name,
  enabled: _enabled,
  updatedAt: _updated,
  ...adapter
}: RelayAdapter): string => digest(adapter)

/** Whether evidence still speaks for an adapter. */
export const isCurrent = ({ baseline, configuration }: Evidence, adapter: RelayAdapter): boolean =>
  baseline === baselineDigest && configuration === configurationOf(adapter)

/** Whether a fault passes by itself: it says nothing about whether the relay is the one that was tested. */
export const isPassing = (reason: Reason): boolean =>
  reason === "relay_unreachable" ||
  reason === "encryption_failed" ||
  reason === "relay_timeout" ||
  reason === "relay_unavailable" ||
  reason === "rate_limited" ||
  reason === "circuit_open" ||
  reason === "relay_error"

/** The checks that were made in the name of a key. */
const ofIdentity: ReadonlySet<string> = new Set([
  "authentication",
  "membership",
  "channelRead",
  "messageRead"
])

/**
 * Evidence without the identity that it was gathered for: the key is gone or was replaced. What was found out about the
 * relay still holds; what it lets the bridge do is unknown.
 */
export const withoutIdentity = (evidence: Evidence, reason: Reason): Evidence => ({
  ...evidence,
  ...(evidence.status === "unsupported" ? {} : { status: "unhealthy", reason }),
  checks: evidence.checks.map((check): Check => {
    if (check.id === "configuredIdentity") return { ...check, status: "failed", detail: sentences[reason] }
    return ofIdentity.has(check.id)
      ? { ...check, status: "unverified", detail: "It was found out in the name of another key" }
      : check
  })
})
