import type { OutboundFailure, Response } from "../../kernel/outbound/Outbound.ts"
import { redactText } from "../../kernel/Redaction.ts"
import type { Reason } from "./Reason.ts"
import { RelayFailure, type RelayInfo, type Submission } from "./RelayClient.ts"

/** Beyond this difference, in seconds, a refused signature is put down to the clocks: relays accept 60. */
export const toleratedSkew = 50

/** The value of a JSON text; undefined when it is no JSON. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined

const textAt = (value: unknown, key: string): string | undefined => {
  const found = member(value, key)
  return typeof found === "string" ? found : undefined
}

/** How far the relay's clock is ahead of ours, by the `Date` of its answer. */
export const skewOf = ({ headers }: Response, atMs: number): number | undefined => {
  const date = Date.parse(headers.date ?? "")
  return Number.isNaN(date) ? undefined : Math.round((date - atMs) / 1_000)
}

/** The pause that a relay asks for: `Retry-After`, or the "retry in 7s" of its text. At most an hour. */
export const retryAfterOf = (text: string, header?: string): number | undefined => {
  const seconds = /^\d{1,9}$/.test(header ?? "")
    ? Number(header)
    : Number(/retry in (\d{1,9})\s*s/i.exec(text)?.[1] ?? Number.NaN)
  return Number.isNaN(seconds) ? undefined : Math.min(seconds, 3_600) * 1_000
}

/** What the relay said, as far as it may be shown: without secrets and internal addresses, and short. */
export const shown = (text: string): string =>
  redactText(text)
    .replace(/[a-z]{2,5}:\/\/\S+/gi, "[address]")
    .replace(/\p{Cc}+/gu, " ")
    .slice(0, 200)

/** What a relay of the family says in words: over HTTP under `error`, in a CLOSED, in an OK. */
export const reasonOfText = (text: string): Reason | undefined => {
  if (/^rate-limited/i.test(text)) return "rate_limited"
  if (/not a channel member|channel archived/i.test(text)) return "channel_membership_required"
  if (/relay_membership_required|not a relay member/i.test(text)) return "relay_membership_required"
  if (/timestamp too far/i.test(text)) return "event_too_old"
  if (/no community is configured/i.test(text)) return "community_mismatch"
  if (/^auth-required/i.test(text)) return "authentication_rejected"
  if (/^(restricted|blocked)/i.test(text)) return "read_refused"
  if (/^error/i.test(text)) return "relay_unavailable"
  return undefined
}

/** The reason that a status means by itself. */
export const reasonOfStatus = (status: number): Reason => {
  if (status >= 300 && status < 400) return "redirect_refused"
  switch (status) {
    case 401:
      return "authentication_rejected"
    case 403:
      return "read_refused"
    case 404:
      return "community_mismatch"
    case 429:
      return "rate_limited"
    default:
      return status >= 500 ? "relay_unavailable" : "relay_error"
  }
}

/** The failure that an answer means, other than 2xx. */
export const failureOf = (answer: Response, atMs: number): RelayFailure => {
  const { headers, status, text } = answer
  const body = jsonOf(text)
  const said = textAt(body, "error") ?? ""
  const skewSeconds = skewOf(answer, atMs)
  const retryAfterMs = retryAfterOf(said, headers["retry-after"])
  const reason =
    status === 401 && skewSeconds !== undefined && Math.abs(skewSeconds) > toleratedSkew
      ? "clock_skew"
      : status === 401 || status === 429
        ? reasonOfStatus(status)
        : (reasonOfText(said) ?? reasonOfStatus(status))
  return new RelayFailure({
    reason,
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(skewSeconds === undefined ? {} : { skewSeconds })
  })
}

/** What the error code of the system or of a library says about a connection that failed. */
export const reasonOfCode = (code: string): Reason =>
  /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code) ? "encryption_failed" : "relay_unreachable"

/** The failure of a request that got no answer. */
export const failureOfOutbound = (failure: OutboundFailure): RelayFailure => {
  switch (failure._tag) {
    case "AddressRefused":
      return new RelayFailure({ reason: "network_policy_blocked" })
    case "CircuitOpen":
      return new RelayFailure({ reason: "circuit_open", retryAfterMs: failure.retryAfterMs })
    case "OutboundTimeout":
      return new RelayFailure({ reason: "relay_timeout" })
    case "ResponseTooLarge":
      return new RelayFailure({ reason: "response_too_large" })
    case "Unreachable":
      return new RelayFailure({ reason: reasonOfCode(failure.reason) })
  }
}

/** A relay refuses reads and writes in the same words: what was asked decides which it is. */
const ofWrite = (reason: Reason): Reason => (reason === "read_refused" ? "write_refused" : reason)

/**
 * What a 2xx to `/events` means. Only the relay's own word about this very event counts: a proxy's page, an empty body,
 * or a word about another event leaves open whether it has arrived.
 */
const wordOf = (body: unknown, eventId: string): Submission => {
  const accepted = member(body, "accepted")
  const named = textAt(body, "event_id") ?? textAt(body, "id")
  const said = textAt(body, "message") ?? ""
  if (accepted === true && named === eventId) return { _tag: "Accepted", duplicate: /^duplicate/i.test(said) }
  return accepted === false && (named === undefined || named === eventId)
    ? { _tag: "Refused", reason: ofWrite(reasonOfText(said) ?? "event_refused"), detail: shown(said) }
    : { _tag: "Unknown", reason: "answer_unclear" }
}

/** What the answer to `/events` means for the delivery of an event (spec README, rulings 18 and 113). */
export const submissionOf = (answer: Response, eventId: string, atMs: number): Submission => {
  const { status, text } = answer
  const body = jsonOf(text)
  if (status >= 200 && status < 300) return wordOf(body, eventId)
  const failure = failureOf(answer, atMs)
  if (status === 401 || status === 429 || status === 503)
    return {
      _tag: "Postponed",
      reason: failure.reason,
      ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs })
    }
  if (status >= 500) return { _tag: "Unknown", reason: failure.reason }
  const said = textAt(body, "error") ?? ""
  return {
    _tag: "Refused",
    reason: ofWrite(status === 400 ? (reasonOfText(said) ?? "event_refused") : failure.reason),
    ...(said === "" ? {} : { detail: shown(said) })
  }
}

/** What a request without an answer means for the delivery of an event. */
export const submissionOfFailure = (failure: OutboundFailure): Submission => {
  const { reason, retryAfterMs } = failureOfOutbound(failure)
  switch (failure._tag) {
    case "CircuitOpen":
      return { _tag: "Postponed", reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
    // Nothing went out, and nothing will until somebody changes the address or the policy.
    case "AddressRefused":
      return { _tag: "Refused", reason }
    case "OutboundTimeout":
    case "Unreachable":
      return { _tag: "Unknown", reason, ...(failure.sent ? {} : { sent: false }) }
    case "ResponseTooLarge":
      return { _tag: "Unknown", reason }
  }
}

const numbersOf = (value: unknown): ReadonlyArray<number> | undefined =>
  Array.isArray(value) && value.length <= 1_000 && value.every((item) => Number.isInteger(item))
    ? value
    : undefined

const short = (text: string | undefined): string | undefined => (text === undefined ? undefined : shown(text))

/** What a relay says about itself; undefined when it is no such document. */
export const infoOf = (answer: Response, atMs: number): RelayInfo | undefined => {
  const body = jsonOf(answer.text)
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined
  const authRequired = member(member(body, "limitation"), "auth_required")
  return {
    name: short(textAt(body, "name")),
    software: short(textAt(body, "software")),
    version: short(textAt(body, "version"))?.replace(/^v/, ""),
    commit: short(textAt(body, "commit")),
    community: short(textAt(body, "community")),
    nips: numbersOf(member(body, "supported_nips")),
    self: short(textAt(body, "self")),
    authRequired: typeof authRequired === "boolean" ? authRequired : undefined,
    skewSeconds: skewOf(answer, atMs)
  }
}
