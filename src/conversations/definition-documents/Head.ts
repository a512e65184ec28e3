import { type DefinitionCoordinate, personaKind, teamKind } from "../../board/agent-profiles/ImportSource.ts"
import { redactText } from "../../kernel/Redaction.ts"
import { type NostrEvent, valuesOf } from "../wire/NostrEvent.ts"

/** The current definition of a coordinate: an event whose signature was checked. Its content was not looked at yet. */
export interface Head {
  readonly coordinate: DefinitionCoordinate
  readonly event: NostrEvent
}

/** The `d` tag of a persona (relay-wire a). Teams use it as a slug of their members. */
export const personaTag = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** The `d` tag of a team: real ones hold colons and capitals too, such as `builtin-team:welcome`. */
const teamTag = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,79}$/

/**
 * The coordinate of an event; undefined when it is no definition. The tag is shown in answers, so one that looks like a
 * secret is not accepted.
 */
export const coordinateOf = ({ kind, pubkey, tags }: NostrEvent): DefinitionCoordinate | undefined => {
  const [dTag = ""] = valuesOf(tags, "d")
  if (redactText(dTag) !== dTag) return undefined
  if (kind === personaKind && personaTag.test(dTag)) return { authorPubkey: pubkey, kind, dTag }
  if (kind === teamKind && teamTag.test(dTag)) return { authorPubkey: pubkey, kind, dTag }
  return undefined
}

/** One key for one coordinate. */
export const keyOf = ({ authorPubkey, dTag, kind }: DefinitionCoordinate): string =>
  `${kind}:${authorPubkey}:${dTag}`

export type Heads = ReadonlyMap<string, Head>

/** What a relay has of definitions. */
export interface Found {
  readonly heads: Heads
  /** How many of its events are no definitions, or not what they claim. */
  readonly rejectedCount: number
  /** True when the relay may have more than was read: what is not among the heads may still exist. */
  readonly truncated: boolean
}

/**
 * The heads when more definitions are known: the latest counts, and of two from the same second the one with the lower
 * id.
 */
export const withHeads = (heads: Heads, more: ReadonlyArray<Head>): Heads => {
  const next = new Map(heads)
  for (const head of more) {
    const key = keyOf(head.coordinate)
    const before = next.get(key)
    if (before === undefined || isNewer(head.event, before.event)) next.set(key, head)
  }
  return next
}

const isNewer = (a: NostrEvent, b: NostrEvent): boolean =>
  a.created_at > b.created_at || (a.created_at === b.created_at && a.id < b.id)
