import { isIP } from "node:net"

/** Whether a socket's address is this machine's own. */
export const isLoopbackAddress = (address: string | undefined): boolean =>
  address === "127.0.0.1" || address === "::1" || address === "::ffff:127.0.0.1"

/** Whether a host name, as in a Host header or an origin, can only mean this machine. */
export const isLoopbackName = (name: string): boolean => {
  const bare = name.toLowerCase().replace(/^\[|\]$/g, "")
  return bare === "localhost" || bare === "::1" || (isIP(bare) === 4 && bare.startsWith("127."))
}

/**
 * Whether a host of a URL leads to this machine and nowhere else, names below `localhost` included. A name that only
 * begins like an address, such as `127.example.com`, leads wherever its owner wants.
 */
export const staysHere = (hostname: string): boolean =>
  isLoopbackName(hostname) || hostname.endsWith(".localhost")

/** Whether a URL, such as an Origin or a Referer, leads to this machine. */
export const isLoopbackUrl = (url: string): boolean => {
  try {
    return isLoopbackName(new URL(url).hostname)
  } catch {
    return false
  }
}
