import { Either } from "effect"
import type { TeamchatAdapter } from "../adapters/Adapter.ts"
import type { Check, Health, HealthStatus } from "../adapters/Health.ts"
import { accessOf, type Holdings } from "./Access.ts"
import { type Reason, sentences } from "./Reason.ts"

const statusOf = (reason: Reason): HealthStatus => {
  switch (reason) {
    case "ok":
      return "healthy"
    case "adapter_disabled":
      return "disabled"
    case "webhook_missing":
      return "degraded"
    default:
      return "unhealthy"
  }
}

const checkOf = (id: string, configured: boolean, fault: Reason | undefined): Check => {
  if (!configured) return { id, status: "not_reported", detail: "It is not configured" }
  return fault === undefined
    ? { id, status: "verified", detail: "It is configured and can be used" }
    : { id, status: "failed", detail: sentences[fault] }
}

const faultOf = (held: Either.Either<unknown, Reason>): Reason | undefined =>
  Either.isLeft(held) ? held.left : undefined

/**
 * What is known of a team chat (decision R-HEALTH-041): it comes from the configuration, as nothing is connected and a
 * webhook can't be asked. `routed` is what a look at the webhook's address found.
 */
export const healthOf = (adapter: TeamchatAdapter, holdings: Holdings, routed?: Reason): Health => {
  const access = accessOf(holdings)
  const fault = faultOf(access) ?? routed
  const reason: Reason = adapter.enabled ? (fault ?? "ok") : "adapter_disabled"
  return {
    adapterId: adapter.id,
    kind: "teamchat",
    status: statusOf(reason),
    reasonCode: reason,
    message: sentences[reason],
    configured: { http: adapter.webhookUrlRedacted, webSocket: null },
    resolved: { http: null, webSocket: null },
    expectedCommunity: null,
    observedCommunity: null,
    observedVersion: null,
    publicKeyFingerprint: null,
    testedRelease: null,
    testedCommit: null,
    probeRevision: null,
    contract: null,
    checks: [
      checkOf("webhook", adapter.webhookUrlConfigured, faultOf(holdings.webhookUrl)),
      checkOf("credential", adapter.hasCredential, faultOf(holdings.credential)),
      ...(routed === undefined ? [] : [checkOf("address", true, routed)])
    ],
    canSend: adapter.enabled && Either.isRight(access),
    canReceiveReplies: adapter.enabled,
    rejectedCount: 0
  }
}
