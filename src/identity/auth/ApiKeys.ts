import * as Crypto from "node:crypto"
import { Either, Redacted } from "effect"
import { type ActorContext, actorOf } from "../../kernel/Actor.ts"
import { Role } from "../../kernel/Permission.ts"

/** A key that the environment configures. */
export interface ApiKey {
  readonly name: string
  readonly key: Redacted.Redacted
  readonly role: Role
}

const hash = (key: string): Buffer => Crypto.hash("sha256", key, "buffer")

/** The keys that are valid. Looking one up takes the same time for every key that is not. */
export const keyring = (keys: ReadonlyArray<ApiKey>) => {
  const known = keys.map(({ key, name, role }) => ({
    hash: hash(Redacted.value(key)),
    actor: actorOf({ name, role, authMethod: "api-key", tokenName: name })
  }))
  return {
    find: (key: string): ActorContext | undefined => {
      const given = hash(key)
      let found: ActorContext | undefined
      for (const candidate of known)
        if (Crypto.timingSafeEqual(candidate.hash, given)) found = candidate.actor
      return found
    }
  }
}

const isRole = (text: string): text is Role => Role.literals.some((role) => role === text)

/**
 * Reads `SERVICE_API_KEYS`: `name:key:role` items separated by commas. The name ends at the first colon and the role
 * begins after the last one, so a key may contain colons. The message of a refusal never shows a key.
 */
export const parseApiKeys = (text: string): Either.Either<ReadonlyArray<ApiKey>, string> => {
  const keys: Array<ApiKey> = []
  const items = text.split(",").map((item) => item.trim())
  for (const [index, item] of items.entries()) {
    if (item === "" && items.length === 1) return Either.right([])
    const place = `item ${index + 1}`
    const first = item.indexOf(":")
    const last = item.lastIndexOf(":")
    if (first < 0 || first === last) return Either.left(`${place} must have the form name:key:role`)
    const name = item.slice(0, first).trim()
    const key = item.slice(first + 1, last).trim()
    const role = item.slice(last + 1).trim()
    if (name === "" || key === "") return Either.left(`${place} must have a name and a key`)
    if (!isRole(role)) return Either.left(`${place} must end with a role: admin, agent or read-only`)
    if (keys.some((known) => known.name === name))
      return Either.left(`${place} repeats the name of another item`)
    keys.push({ name, key: Redacted.make(key), role })
  }
  return Either.right(keys)
}
