import { randomBytes } from "node:crypto"
import { sha256 } from "../../kernel/Digest.ts"
import type { Identity } from "./Identity.ts"
import { kinds } from "./NostrEvent.ts"

/** The request that a header speaks for. */
export interface SignedRequest {
  readonly url: string
  readonly method: "GET" | "POST"
  readonly body: string
}

/**
 * The Authorization header of a request (NIP-98): a signed event over its address, its method and the hash of its very
 * bytes. The nonce makes it unique: a relay takes each only once, and two equal requests in one second would collide.
 */
export const httpAuth = (
  { sign }: Identity,
  { body, method, url }: SignedRequest,
  atSeconds: number
): string => {
  const event = sign({
    kind: kinds.httpAuth,
    created_at: atSeconds,
    content: "",
    tags: [
      ["u", url],
      ["method", method],
      ["payload", sha256(body)],
      ["nonce", randomBytes(16).toString("hex")]
    ]
  })
  return `Nostr ${Buffer.from(JSON.stringify(event)).toString("base64")}`
}
