import { Effect, Option, Redacted, Schema } from "effect"
import type { OutboundFailure, OutboundService, Response } from "../../../kernel/outbound/Outbound.ts"
import { marker as redacted } from "../../../kernel/Redaction.ts"
import { now } from "../../../kernel/Time.ts"
import { type Access, CallFailed } from "../Driver.ts"

/** The circuit of this driver. */
export const githubCircuit = "tracker:github"

/** The most bytes of an answer: a page of issues with long texts. */
const responseLimit = 8 * 1_048_576

/** A request below the repository of a project: `""`, `/labels?page=2`. */
export interface GithubRequest {
  readonly path: string
  readonly body?: unknown
}

/**
 * Sends a request and reads its answer. A request with a body writes: when it fails after it was sent, it may have been
 * done.
 */
export const ask =
  (outbound: OutboundService, timeoutMs: number) =>
  <A, I>(
    { baseUrl, credential, project }: Access,
    { body, path }: GithubRequest,
    answer: Schema.Schema<A, I>
  ) =>
    Effect.gen(function* () {
      const writes = body !== undefined
      const secret = Option.map(credential, Redacted.value)
      const response = yield* outbound
        .send({
          circuit: githubCircuit,
          method: writes ? "POST" : "GET",
          url: `${baseUrl.replace(/\/+$/, "")}/repos/${project}${path}`,
          headers: {
            accept: "application/vnd.github+json",
            "x-github-api-version": "2022-11-28",
            ...(writes ? { "content-type": "application/json" } : {}),
            ...Option.match(secret, {
              onNone: () => ({}),
              onSome: (value) => ({ authorization: `Bearer ${value}` })
            })
          },
          ...(writes ? { body: JSON.stringify(body) } : {}),
          timeoutMs,
          responseLimit
        })
        .pipe(Effect.mapError((failure) => unanswered(failure, writes)))
      const refusal = refusalOf(response, writes, yield* now)
      if (refusal !== undefined) return yield* refusal
      // A tracker that echoes the credential must not get it into storage.
      const text = Option.match(secret, {
        onNone: () => response.text,
        onSome: (value) => response.text.replaceAll(value, redacted)
      })
      return yield* Effect.mapError(
        Schema.decodeUnknown(Schema.parseJson(answer))(text),
        () => new CallFailed({ reason: "unexpected-answer", retryable: false, mayHaveArrived: writes })
      )
    })

const unanswered = (failure: OutboundFailure, writes: boolean): CallFailed => {
  switch (failure._tag) {
    case "AddressRefused":
      return new CallFailed({ reason: `refused-${failure.reason}`, retryable: false, mayHaveArrived: false })
    case "CircuitOpen":
      return new CallFailed({
        reason: failure.blocked ? "blocked" : "circuit-open",
        retryable: true,
        retryAfterMs: failure.retryAfterMs,
        mayHaveArrived: false
      })
    case "OutboundTimeout":
      return new CallFailed({ reason: "timeout", retryable: true, mayHaveArrived: writes && failure.sent })
    case "ResponseTooLarge":
      return new CallFailed({ reason: "response-too-large", retryable: false, mayHaveArrived: writes })
    case "Unreachable":
      return new CallFailed({
        reason: "unreachable",
        retryable: true,
        mayHaveArrived: writes && failure.sent
      })
  }
}

const longestWait = 3_600_000

/** How long the tracker asks us to wait, in milliseconds; at most an hour. */
const waitOf = (headers: Response["headers"], at: number): number | undefined => {
  const after = headers["retry-after"]
  const reset = headers["x-ratelimit-reset"]
  const wait =
    after !== undefined && /^\d{1,6}$/.test(after)
      ? Number(after) * 1_000
      : reset !== undefined && /^\d{1,12}$/.test(reset)
        ? Number(reset) * 1_000 - at
        : undefined
  return wait === undefined ? undefined : Math.min(Math.max(wait, 1_000), longestWait)
}

/**
 * The failure that a status means; undefined for a success. Redirects are not followed: a credential goes to its own
 * address only.
 */
const refusalOf = ({ headers, status }: Response, writes: boolean, at: number): CallFailed | undefined => {
  if (status >= 200 && status < 300) return undefined
  const final = (reason: string) => new CallFailed({ reason, retryable: false, mayHaveArrived: false })
  const isLimited =
    status === 429 ||
    (status === 403 && (headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0"))
  if (isLimited || status === 408 || status >= 500) {
    const retryAfterMs = waitOf(headers, at)
    return new CallFailed({
      reason: isLimited ? "rate-limited" : `status-${status}`,
      retryable: true,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      mayHaveArrived: writes && !isLimited
    })
  }
  return final(reasons[status] ?? (status < 400 ? "redirected" : `status-${status}`))
}

const reasons: Readonly<Record<number, string>> = {
  401: "credential-refused",
  403: "permission-refused",
  404: "project-not-found",
  410: "issues-disabled",
  422: "item-refused"
}
