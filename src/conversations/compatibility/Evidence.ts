import { digest } from "../../kernel/Digest.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import type { Check } from "../adapters/Health.ts"
import { type Reason, sentences } from "../wire/Reason.ts"
import { baselineDigest } from "./Baseline.ts"

/** What a probe found. It counts as long as configuration and baseline are the ones that it was gathered under. */
export interface Evidence {
  readonly status: "healthy" | "unhealthy" | "unsupported"
  readonly reason: Reason
  readonly checks: ReadonlyArray<Check>
  readonly observedCommunity: string | null
  readonly observedVersion: string | null
  readonly skewSeconds: number | null
  /** Milliseconds since the epoch. */
  readonly checkedAt: number
  readonly configuration: string
  readonly baseline: string
}

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
