import { isLoopbackAddress, staysHere } from "./Loopback.ts"

/** The headers of a request, by their names in small letters. */
export type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The text of a header; of one that came more than once, all of it. */
export const headerText = (headers: Headers, name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === "string" ? value : value?.join(", ")
}

/**
 * What proxies, load balancers, tunnels and delivery networks write into a request that they pass on: whole names, and
 * the beginnings of families of names. What only numbers a request, for traces and logs, is not here: clients write that
 * themselves.
 */
const forwardingNames: ReadonlyArray<string> = [
  // The standard (RFC 7239, RFC 9110, RFC 8586) and what came before it.
  ...["forwarded", "via", "cdn-loop", "max-forwards", "proxy-connection", "client-ip", "x-host", "x-scheme"],
  ...["x-real-ip", "x-real-port", "x-client-ip", "x-cluster-client-ip", "x-remote-ip", "x-remote-addr"],
  ...["x-originating-ip", "x-proxyuser-ip", "x-url-scheme", "x-rewrite-url", "front-end-https"],
  ...["true-client-ip", "true-client-port", "http-client-ip", "proxy-client-ip", "wl-proxy-client-ip"],
  ...["x-sucuri-clientip", "incap-client-ip", "ali-cdn-real-ip", "x-nf-client-connection-ip"],
  ...["remote-user", "x-remote-user", "x-amz-cf-id", "x-amzn-tls-version", "akamai-origin-hop"]
]

const forwardingFamilies: ReadonlyArray<string> = [
  ...["x-forwarded", "forwarded-", "x-original-", "x-proxy-", "x-http-host-", "x-envoy-", "x-arr-"],
  ...["cf-", "fastly-", "cloudfront-", "fly-", "x-akamai-", "x-azure-", "x-appengine-", "x-vercel-"],
  ...["x-goog-iap-", "x-goog-authenticated-", "x-auth-request-", "x-pomerium-", "tailscale-", "ngrok-"]
]

const forwarding = new RegExp(`^(?:(?:${forwardingNames.join("|")})$|${forwardingFamilies.join("|")})`)

/** Whether something stood between the sender and this server and said so: then the socket's address is not the sender's. */
export const wasForwarded = (headers: Headers): boolean => {
  for (const name in headers) if (forwarding.test(name)) return true
  return false
}

/**
 * Whether a request was made on this machine, to this machine, and by nobody's order from elsewhere: the socket is the
 * machine's own, the Host is one of its own names, and nothing passed the request on. The one rule for all that counts
 * here alone: the bypass, the owner's password and its sessions, programs that are opened for a person.
 */
export const isFromHere = (headers: Headers, remoteAddress: string | undefined): boolean => {
  const host = headerText(headers, "host")
  return (
    isLoopbackAddress(remoteAddress) &&
    host !== undefined &&
    staysHere(host.replace(/:\d*$/, "").toLowerCase()) &&
    !wasForwarded(headers)
  )
}
