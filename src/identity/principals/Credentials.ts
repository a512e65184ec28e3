import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Effect, Option } from "effect"
import { type Headers, headerText, isFromHere } from "../../kernel/Locality.ts"
import { isLoopbackUrl } from "../../kernel/Loopback.ts"

/** What a request shows of its sender. */
export interface Credentials {
  readonly apiKey?: string | undefined
  readonly authorization?: string | undefined
  readonly cookie?: string | undefined
  readonly remoteAddress?: string | undefined
  /** True when the request was made on this machine and to it, and nobody passed it on. */
  readonly local: boolean
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly referer?: string | undefined
  /** True for a request that changes nothing: GET and HEAD. */
  readonly reads: boolean
}

/** The name of the session cookie (spec 1-core, Authentication). */
export const sessionCookie = "service_session"

/** The session in a Cookie header. */
export const sessionOf = (cookie: string | undefined): string | undefined => {
  for (const part of cookie?.split(";") ?? []) {
    const [name, value] = part.trim().split("=", 2)
    if (name === sessionCookie && value !== undefined && value !== "") return value
  }
  return undefined
}

/** The token of `Authorization: Bearer`; the scheme is compared without regard to case. */
export const bearerOf = (authorization: string): string | undefined =>
  /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1]

/**
 * Whether a cookie may count at all: a browser sends it along with everything, so the request must come from this
 * machine, to this machine, and from a page of this machine. A write must say from which page it comes (decision Q49).
 */
export const mayUseCookie = ({ local, origin, reads, referer }: Credentials): boolean => {
  if (!local) return false
  if (origin !== undefined && !isLoopbackUrl(origin)) return false
  if (referer !== undefined && !isLoopbackUrl(referer)) return false
  return reads || origin !== undefined || referer !== undefined
}

/** What a request shows of its sender. */
export const credentialsOf = (
  method: string | undefined,
  headers: Headers,
  remoteAddress: string | undefined
): Credentials => ({
  apiKey: headerText(headers, "x-api-key"),
  authorization: headerText(headers, "authorization"),
  cookie: headerText(headers, "cookie"),
  remoteAddress,
  local: isFromHere(headers, remoteAddress),
  host: headerText(headers, "host"),
  origin: headerText(headers, "origin"),
  referer: headerText(headers, "referer"),
  reads: method === "GET" || method === "HEAD"
})

/** Who sends a request that proves itself by what it knows, and not by a credential. */
export interface Sender {
  readonly address: string
  /** True when the request comes from this machine itself. */
  readonly local: boolean
  /** The name and port by which it came. */
  readonly host: string
}

/** Who sends the current request. */
export const sender: Effect.Effect<Sender, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers, method, remoteAddress }) => {
    const given = credentialsOf(method, headers, Option.getOrUndefined(remoteAddress))
    return {
      address: given.remoteAddress ?? "unknown",
      local: given.local,
      host: given.host ?? "localhost"
    }
  }
)
