import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"

/** Which names and origins a request may come by, beside those that are always allowed. */
export interface Access {
  readonly allowedHosts: ReadonlyArray<string>
  readonly allowedOrigins: ReadonlyArray<string>
}

/** What the guard decides: pass, pass and tell a browser of another origin that it may read, or refuse. */
export type Admission =
  | { readonly _tag: "Pass" }
  | { readonly _tag: "PassCrossOrigin"; readonly origin: string }
  | { readonly _tag: "Refuse"; readonly reason: "host" | "origin" | "two-hosts" }

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i

const hostnameOf = (host: string): string | undefined =>
  hostPattern
    .exec(host)?.[1]
    ?.toLowerCase()
    .replace(/^\[|\]$/g, "")

const isAllowedHost = (host: string, access: Access): boolean => {
  const name = hostnameOf(host)
  if (name === undefined) return false
  if (isIP(name) !== 0 || name === "localhost" || name.endsWith(".localhost")) return true
  const exact = host.toLowerCase()
  return access.allowedHosts.some((allowed) => allowed === name || allowed === exact)
}

/** Node shows the first of several Host headers; a proxy on the way may have looked at the last. */
const namesTwoHosts = (rawHeaders: ReadonlyArray<string>): boolean => {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === "host") count++
  }
  return count > 1
}

/**
 * Checks Host and Origin before anything else (spec README, ruling 3). A name that is not ours means that a browser was
 * led here by a foreign DNS entry; an origin that is not ours means that a foreign page sends the request. A missing
 * origin proves nothing, and `null` never passes.
 */
export const admit = (
  { headers, rawHeaders }: Pick<IncomingMessage, "headers" | "rawHeaders">,
  access: Access
): Admission => {
  const { host, origin } = headers
  if (namesTwoHosts(rawHeaders)) return { _tag: "Refuse", reason: "two-hosts" }
  if (host === undefined || !isAllowedHost(host, access)) return { _tag: "Refuse", reason: "host" }
  if (origin === undefined) return { _tag: "Pass" }
  const from = origin.toLowerCase()
  const own = host.toLowerCase()
  if (from === `http://${own}` || from === `https://${own}`) return { _tag: "Pass" }
  return access.allowedOrigins.includes(from)
    ? { _tag: "PassCrossOrigin", origin }
    : { _tag: "Refuse", reason: "origin" }
}
