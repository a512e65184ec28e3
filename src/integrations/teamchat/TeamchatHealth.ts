import { Either } from "effect"
import type { TeamchatAdapter } from "../communication/Adapter.ts"
import type { Check, Health, HealthStatus } from "../communication/Health.ts"
import type { Access } from "./Access.ts"
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

const checksOf = (
  { hasCredential, webhookUrlConfigured }: TeamchatAdapter,
  reason: Reason | undefined
): ReadonlyArray<Check> => {
  const check = (id: string, configured: boolean): Check => {
    if (!configured) return { id, status: "not_reported", detail: "It is not configured" }
    const fault = reason?.startsWith(id) ? reason : undefined
    return fault === undefined
      ? { id, status: "verified", detail: "It is configured and can be used" }
      : { id, status: "failed", detail: sentences[fault] }
  }
  return [check("webhook", webhookUrlConfigured), check("credential", hasCredential)]
}

/**
 * What is known of a team chat (decision R-HEALTH-041): it comes from the configuration, as nothing is connected and a
 * webhook can't be asked. `routed` is what a look at the webhook's address found.
 */
export const healthOf = (
  adapter: TeamchatAdapter,
  access: Either.Either<Access, Reason>,
  routed?: Reason
): Health => {
  const fault = Either.isLeft(access) ? access.left : routed
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
      ...checksOf(adapter, fault),
      ...(routed === undefined
        ? []
        : [{ id: "address", status: "failed", detail: sentences[routed] } satisfies Check])
    ],
    canSend: adapter.enabled && Either.isRight(access),
    canReceiveReplies: adapter.enabled,
    rejectedCount: 0
  }
}
