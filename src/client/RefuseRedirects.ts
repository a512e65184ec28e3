import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { Effect } from "effect"
import { isUrl } from "../kernel/UrlSyntax.ts"
import { Misused } from "./Failure.ts"

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The failure for an answer that redirects; undefined for any other answer. */
export const redirected = (url: string, status: number, location: string | undefined): Misused | undefined =>
  redirects.has(status)
    ? new Misused({
        reason: `${url} redirects to ${placeOf(url, location)}; no key is sent along a redirect`,
        remedy: "Set SERVICE_API_URL to the address of the server itself"
      })
    : undefined

/** Where a redirect leads to: only its origin is shown, as a path or a query may hold a secret. */
const placeOf = (url: string, location: string | undefined): string =>
  location !== undefined && isUrl(location, url) ? new URL(location, url).origin : "another address"

/**
 * A client that follows no redirect, for every request to a server. A request carries a key, and whoever answers in the
 * server's place (a captive portal, a parked name, a proxy) could redirect it anywhere.
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
