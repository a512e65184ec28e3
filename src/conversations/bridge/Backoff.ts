import { Effect, Random } from "effect"
import type { Reason } from "../wire/Reason.ts"
import type { RelayFailure } from "../wire/RelayClient.ts"

/** How long a connection must last, in milliseconds, before the failures that came before it are forgotten. */
export const stableAfter = 60_000

const shortest = 1_000
const longest = 60_000
const longestHopeless = 300_000

/** Reasons that do not go away by themselves: somebody has to do something, at the relay or here. */
const hopeless: ReadonlySet<Reason> = new Set([
  "relay_membership_required",
  "channel_membership_required",
  "read_refused",
  "authentication_rejected",
  "clock_skew",
  "network_policy_blocked",
  "community_mismatch",
  "relay_version_unsupported",
  "relay_commit_unsupported",
  "relay_capability_missing",
  "configuration_missing",
  "credential_missing",
  "credential_unlisted",
  "credential_invalid",
  "public_key_mismatch",
  "auth_tag_missing",
  "auth_tag_unlisted",
  "auth_tag_invalid",
  "auth_tag_outside_its_time"
])

/** The pause after so many failures in a row, before jitter is added; never shorter than the relay asks for. */
export const pauseAfter = (
  failures: number,
  { reason, retryAfterMs = 0 }: Pick<RelayFailure, "reason" | "retryAfterMs">
): number =>
  Math.max(
    retryAfterMs,
    Math.min(shortest * 2 ** Math.min(failures - 1, 10), hopeless.has(reason) ? longestHopeless : longest)
  )

/** The same, up to a quarter longer: bridges that lost a relay together don't come back together. */
export const jittered = (pauseMs: number): Effect.Effect<number> =>
  Effect.map(Random.nextRange(1, 1.25), (factor) => Math.round(pauseMs * factor))
