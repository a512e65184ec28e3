import { randomBytes, timingSafeEqual } from "node:crypto"
import { Effect } from "effect"
import { sha256 } from "./Digest.ts"

/** A secret that opens something, with a prefix that tells what: `muster_dev_…`. 256 random bits. */
export const newToken = (kind: string): Effect.Effect<string> =>
  Effect.sync(() => `muster_${kind}_${randomBytes(32).toString("base64url")}`)

/** Whether a secret says of itself that it is a token of this kind. */
export const isTokenOf = (kind: string, secret: string): boolean => secret.startsWith(`muster_${kind}_`)

/** What is stored of a token, and what it is looked up by. A token is random, so a plain hash is enough. */
export const hashOfToken = (token: string): string => sha256(token)

/** Whether a token is the one behind a hash. It takes the same time for every token that is not. */
export const isTokenBehind = (hash: string, token: string): boolean => {
  const [expected, given] = [Buffer.from(hash), Buffer.from(hashOfToken(token))]
  return expected.length === given.length && timingSafeEqual(expected, given)
}
