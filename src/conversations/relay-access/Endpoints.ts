import { Either } from "effect"
import type { Issue } from "../../kernel/Failures.ts"
import { checkUrl, isMisleading } from "../../kernel/outbound/Target.ts"
import { isUrl } from "../../kernel/UrlSyntax.ts"
import { type AllowFlags, allowanceOf, messageOf } from "../adapters/Allowance.ts"

/** Where a relay is: the same place over HTTP and WebSocket, without a slash at the end. */
export interface Endpoints {
  readonly http: string
  readonly webSocket: string
}

type Field = "relayHttpUrl" | "relayWebSocketUrl"

const schemes: Readonly<Record<string, string>> = {
  "http:": "http",
  "ws:": "http",
  "https:": "https",
  "wss:": "https"
}

const refuse = (path: Field, message: string) => Either.left<Issue>({ path, message })

/** An address in its canonical form over HTTP: host in small letters, no default port, no slash at the end. */
const canonical = (field: Field, text: string): Either.Either<string, Issue> => {
  if (text.length > 2_048) return refuse(field, "Expected at most 2048 characters")
  if (isMisleading(text) || !isUrl(text)) return refuse(field, "Expected an absolute https or wss URL")
  const url = new URL(text)
  const scheme = schemes[url.protocol]
  if (scheme === undefined) return refuse(field, "Expected an https or wss URL")
  if (url.username !== "" || url.password !== "")
    return refuse(field, "Expected a URL without user name and password")
  if (text.includes("?")) return refuse(field, "Expected a URL without a query")
  if (text.includes("#")) return refuse(field, "Expected a URL without a fragment")
  // Only now: a URL whose scheme changes to http drops the default port of that scheme.
  const http = new URL(`${scheme}:${url.href.slice(url.protocol.length)}`)
  http.hostname = http.hostname.replace(/\.$/, "")
  return Either.right(http.href.replace(/\/+$/, ""))
}

/**
 * The endpoints of a relay, or what is wrong with them, field by field. Names are not resolved here: that is done, and
 * checked, for every connection.
 */
export const endpointsOf = (
  relayHttpUrl: string,
  relayWebSocketUrl: string | null,
  flags: AllowFlags
): Either.Either<Endpoints, Issue> =>
  Either.gen(function* () {
    const http = yield* canonical("relayHttpUrl", relayHttpUrl)
    const other = yield* relayWebSocketUrl === null
      ? Either.right(http)
      : canonical("relayWebSocketUrl", relayWebSocketUrl)
    if (http !== other)
      return yield* refuse(
        "relayWebSocketUrl",
        "Expected the host, port, path and encryption of relayHttpUrl"
      )
    if (http.startsWith("http:") && !flags.allowLocalhost && !flags.allowPrivateNetwork)
      return yield* refuse(
        "relayHttpUrl",
        "Expected an https or wss URL: without encryption only with allowLocalhost or allowPrivateNetwork"
      )
    yield* Either.mapLeft(
      checkUrl(http, allowanceOf(flags)),
      (refused): Issue => ({
        path: "relayHttpUrl",
        message: messageOf(refused)
      })
    )
    return { http, webSocket: http.replace(/^http/, "ws") }
  })

/** The community that a host serves: its name, and its port when it is not the scheme's default. */
export const communityOf = (http: string): string => new URL(http).host

/** A community as somebody wrote it: host and port in small letters; undefined when it is none. */
export const communityFrom = (text: string): string | undefined => {
  const trimmed = text.trim().toLowerCase()
  if (!/^[a-z0-9.\-_:[\]]+$/.test(trimmed) || !isUrl(`https://${trimmed}`)) return undefined
  const { host, pathname } = new URL(`https://${trimmed}`)
  return pathname === "/" ? host.replace(/\.(?=$|:)/, "") : undefined
}

/** What stands in for a part of a path that may be a secret. */
const hidden = "***"

/** A part of a path that anybody could guess: plain words, a number, a version. */
const isHarmless = (segment: string): boolean =>
  segment.length <= 32 && /^(?:[a-z]+(?:-[a-z]+)*|v?\d{1,3})?$/.test(segment)

/** An endpoint as it is shown: some services put a secret into the path, so only its harmless parts are shown. */
export const shownEndpoint = (url: string): string => {
  const { host, pathname, protocol } = new URL(url)
  const path = pathname.split("/").map((segment) => (isHarmless(segment) ? segment : hidden))
  return `${protocol}//${host}${path.join("/").replace(/\/+$/, "")}`
}

/** An endpoint that is given back as it was shown stands for the stored one. */
export const asStored = <Given extends string | null | undefined>(
  given: Given,
  stored: string | null | undefined
): Given | string =>
  typeof given === "string" && typeof stored === "string" && given === shownEndpoint(stored) ? stored : given
