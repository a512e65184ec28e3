import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { Effect } from "effect"
import { isUrl } from "../kernel/UrlSyntax.ts"
import { Misused } from "./Failure.ts"

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** What an answer says that leads elsewhere; undefined when it does not. */
export const redirected = (url: string, status: number, location: string | undefined): Misused | undefined =>
  redirects.has(status)
    ? new Misused({
        reason: `${url} redirects to ${placeOf(url, location)}; no key is sent along a redirect`,
        remedy: "Set SERVICE_API_URL to the address of the server itself"
      })
    : undefined

/** Where a redirect leads to: an origin, which holds no secret that a path or a query might. */
const placeOf = (url: string, location: string | undefined): string =>
  location !== undefined && isUrl(location, url) ? new URL(location, url).origin : "another address"

/**
 * The client of every request to a server: it follows no redirect. A request carries a key, and whoever answers in the
 * server's place (a captive portal, a parked name, a proxy) could name a place for it to go to.
 */
export const staying = (http: HttpClient.HttpClient) =>
  HttpClient.transform(http, (send, request) =>
    send.pipe(
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Effect.tap(
        ({ headers, status }) =>
          redirected(new URL(request.url).origin, status, headers["location"]) ?? Effect.void
      )
    )
  )
