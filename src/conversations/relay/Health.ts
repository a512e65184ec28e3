import { sha256 } from "../../kernel/Digest.ts"
import { iso } from "../../kernel/Time.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import type { Health, HealthStatus, RuntimeFacets } from "../adapters/Health.ts"
import type { RuntimeState } from "../bridge/RuntimeState.ts"
import { baseline } from "../compatibility/Baseline.ts"
import type { Evidence } from "../compatibility/Evidence.ts"
import type { StoredMapping } from "../mappings/Mapping.ts"
import { shownEndpoint } from "../relay-access/Endpoints.ts"
import { type Reason, sentences } from "../wire/Reason.ts"
import type { VersionReport } from "./VersionCommand.ts"

/** Everything that is known of a relay adapter. */
export interface Known {
  readonly adapter: RelayAdapter
  readonly evidence: Evidence | undefined
  readonly runtime: RuntimeState
  readonly mapping: StoredMapping | undefined
  readonly pendingReplies: number
  readonly waiting: { readonly queued: number; readonly unknown: number }
  readonly lastSuccessAt: number | null
  readonly version: VersionReport | undefined
}

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

/** Why the bridge is degraded; `ok` when it is not. */
const runtimeReason = ({ mapping, runtime }: Known): Reason => {
  const { historyGap, subscription, transport } = runtime
  if (transport.state !== "authenticated")
    return transport.state === "connecting" || transport.reason === "ok" ? "connecting" : transport.reason
  if (mapping === undefined) return "no_mapping"
  if (subscription.state !== "active")
    return subscription.reason === "ok" ? "connecting" : subscription.reason
  return historyGap ? "history_gap" : "ok"
}

const facetsOf = (known: Known): RuntimeFacets => {
  const { adapter, lastSuccessAt, mapping, pendingReplies, runtime, waiting } = known
  const { catchingUp, subscription, transport } = runtime
  const reason = adapter.enabled ? runtimeReason(known) : "adapter_disabled"
  return {
    status: !adapter.enabled ? "disabled" : reason === "ok" ? "healthy" : "degraded",
    reasonCode: reason,
    transport: {
      state: transport.state,
      reasonCode: transport.reason,
      connectedAt: isoOrNull(transport.connectedAt),
      reconnects: transport.reconnects,
      nextAttemptAt: isoOrNull(transport.nextAttemptAt),
      skewSeconds: transport.skewSeconds
    },
    subscription: {
      state: subscription.state,
      channelId: subscription.channelId,
      reasonCode: subscription.reason,
      lastEventAt: isoOrNull(subscription.lastEventAt)
    },
    cursor: {
      createdAt: mapping?.cursor.at ?? null,
      eventId: mapping?.cursor.eventId ?? null,
      confirmedAt: mapping === undefined ? null : iso(mapping.cursor.confirmedAt * 1_000),
      pendingReplies,
      catchingUp
    },
    send: { ...waiting, lastSuccessAt: isoOrNull(lastSuccessAt) }
  }
}

const statusOf = (
  { adapter, evidence }: Known,
  runtime: RuntimeFacets
): readonly [HealthStatus, Reason | string] => {
  if (!adapter.enabled) return ["disabled", "adapter_disabled"]
  if (evidence === undefined) return ["unhealthy", "not_probed"]
  if (evidence.status !== "healthy") return [evidence.status, evidence.reason]
  return runtime.status === "healthy" ? ["healthy", "ok"] : ["degraded", runtime.reasonCode]
}

const sentenceOf = (reason: string, { evidence }: Known): string => {
  const detail =
    evidence?.reason === reason && evidence.checks.find(({ status }) => status === "failed")?.detail
  const known = Object.entries(sentences).find(([code]) => code === reason)?.[1]
  return detail || known || reason
}

/**
 * The health of a relay adapter (spec 2-relay, Health). Whether the relay is the tested one, and how the connection to
 * it is doing, are two questions: a bridge without a mapped channel is compatible and degraded.
 */
export const healthOf = (known: Known): Health => {
  const { adapter, evidence, mapping, version } = known
  const runtime = facetsOf(known)
  const [status, reasonCode] = statusOf(known, runtime)
  const canSend = adapter.enabled && evidence?.status === "healthy" && mapping !== undefined
  const http = shownEndpoint(adapter.relayHttpUrl)
  const { relayWebSocketUrl } = adapter
  return {
    adapterId: adapter.id,
    kind: "relay",
    status,
    reasonCode,
    message: sentenceOf(reasonCode, known),
    compatibility: {
      status: evidence?.status ?? "unknown",
      reasonCode: evidence?.reason ?? "not_probed",
      checkedAt: isoOrNull(evidence?.checkedAt ?? null),
      evidence: evidence?.configuration ?? null
    },
    runtime,
    configured: { http, webSocket: relayWebSocketUrl === null ? null : shownEndpoint(relayWebSocketUrl) },
    resolved: { http, webSocket: http.replace(/^http/, "ws") },
    expectedCommunity: adapter.expectedCommunity,
    observedCommunity: evidence?.observedCommunity ?? null,
    observedVersion: evidence?.observedVersion ?? null,
    publicKeyFingerprint: adapter.publicKey === null ? null : sha256(adapter.publicKey).slice(0, 12),
    testedRelease: baseline.release,
    testedCommit: baseline.commit,
    probeRevision: baseline.probeRevision,
    contract: baseline.contract,
    checks: evidence?.checks ?? [],
    ...(adapter.command === null
      ? {}
      : { command: version ?? { status: "not_run", version: null, checkedAt: null } }),
    canSend,
    canReceiveReplies: canSend && runtime.subscription.state === "active",
    rejectedCount: known.runtime.rejected
  }
}
