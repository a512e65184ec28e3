import type { Credentials } from "../identity/auth/Auth.ts"

type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A request that one of these came with was passed on by a proxy. */
const forwardingHeaders = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "via"
]

const text = (headers: Headers, name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === "string" ? value : value?.join(", ")
}

/** What a request shows of its sender. */
export const credentialsOf = (headers: Headers, remoteAddress: string | undefined): Credentials => ({
  apiKey: text(headers, "x-api-key"),
  authorization: text(headers, "authorization"),
  remoteAddress,
  forwarded: forwardingHeaders.some((name) => Object.hasOwn(headers, name))
})
