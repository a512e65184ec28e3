import { Either } from "effect"
import type { NostrEvent, Tag } from "./NostrEvent.ts"

/** The most that an event may hold. A relay of the family takes 256 KiB of content and frames of 512 KiB. */
export const shapeLimits = {
  contentBytes: 262_144,
  tags: 2_000,
  tagItems: 100,
  latest: 253_402_300_799
} as const

/** What was received is no event; `ShapeFault` names the field that is wrong, never its value. */
export type ShapeFault = "not-an-object" | keyof NostrEvent

const hex64 = /^[0-9a-f]{64}$/
const hex128 = /^[0-9a-f]{128}$/

/** True for 64 digits of lower-case hex: an id or a public key. */
export const isHex64 = (value: unknown): value is string => typeof value === "string" && hex64.test(value)

const isText = (value: unknown): value is string => typeof value === "string" && value.isWellFormed()

const isNatural = (value: unknown, most: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most

const tagsOf = (value: unknown): ReadonlyArray<Tag> | undefined => {
  if (!Array.isArray(value) || value.length > shapeLimits.tags) return undefined
  const tags: Array<Tag> = []
  for (const tag of value) {
    if (!Array.isArray(tag) || tag.length > shapeLimits.tagItems || !tag.every(isText)) return undefined
    tags.push([...tag])
  }
  return tags
}

/**
 * An event made anew from what somebody sent: its seven fields, each of the right shape, and nothing else. Verifiers
 * accept what they should not, such as ids in capitals, kinds that are text, or an object that carries the mark of an
 * earlier check (relay-wire d), so they only ever see the result of this.
 */
export const rebuild = (value: unknown): Either.Either<NostrEvent, ShapeFault> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return Either.left("not-an-object")
  const { content, created_at, id, kind, pubkey, sig, tags }: Partial<Record<keyof NostrEvent, unknown>> =
    value
  if (!isHex64(id)) return Either.left("id")
  if (!isHex64(pubkey)) return Either.left("pubkey")
  if (!isNatural(created_at, shapeLimits.latest)) return Either.left("created_at")
  if (!isNatural(kind, 65_535)) return Either.left("kind")
  if (!isText(content) || Buffer.byteLength(content) > shapeLimits.contentBytes) return Either.left("content")
  if (typeof sig !== "string" || !hex128.test(sig)) return Either.left("sig")
  const rebuilt = tagsOf(tags)
  return rebuilt === undefined
    ? Either.left("tags")
    : Either.right({ id, pubkey, created_at, kind, tags: rebuilt, content, sig })
}
