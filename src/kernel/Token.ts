import { randomBytes, timingSafeEqual } from "node:crypto"
import { Effect } from "effect"
import { sha256 } from "./Digest.ts"

/** A new token: 256 random bits behind a prefix that tells what it opens, e.g. `muster_dev_…`. */
export const newToken = (kind: string): Effect.Effect<string> =>
  Effect.sync(() => `muster_${kind}_${randomBytes(32).toString("base64url")}`)

/** Whether a secret has the prefix of this kind of token. */
export const isTokenOf = (kind: string, secret: string): boolean => secret.startsWith(`muster_${kind}_`)

/**
 * The hash that is stored in a token's place, and that it is looked up by. A token is random, so a plain hash is
 * enough.
 */
export const hashOfToken = (token: string): string => sha256(token)

/** Whether a hash is that of this token, compared in constant time. */
export const isTokenBehind = (hash: string, token: string): boolean => {
  const [expected, given] = [Buffer.from(hash), Buffer.from(hashOfToken(token))]
  return expected.length === given.length && timingSafeEqual(expected, given)
}
