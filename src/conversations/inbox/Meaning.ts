import { kinds, type NostrEvent, type Tag, valuesOf } from "../wire/NostrEvent.ts"
import { isHex64 } from "../wire/Shape.ts"

/** What an event of a channel means here. */
export type Meaning =
  | { readonly _tag: "Root" }
  | { readonly _tag: "Reply"; readonly rootId: string; readonly parentId: string }
  | { readonly _tag: "Edit"; readonly targetId: string }
  /** The target is null when it is named by an address and not by an id. */
  | { readonly _tag: "Deletion"; readonly targetId: string | null }
  | { readonly _tag: "Ignored"; readonly reason: "unknown_kind" | "wrong_channel" | "malformed" }

const malformed: Meaning = { _tag: "Ignored", reason: "malformed" }

const markedAs = (tags: ReadonlyArray<Tag>, marker: string): ReadonlyArray<string> =>
  tags.flatMap(([name, id, , mark]) => (name === "e" && mark === marker && id !== undefined ? [id] : []))

/**
 * Reads the place of a message in its thread (decision 21). A `reply` marker makes it a reply, to the root when there
 * is no `root` beside it; a lone `root` marker is how other clients write a direct reply. A mention is no thread.
 */
const readMessage = ({ id, tags }: NostrEvent): Meaning => {
  const references = tags.filter(([name, , , marker]) => name === "e" && marker !== "mention")
  if (references.length === 0) return { _tag: "Root" }
  const roots = markedAs(tags, "root")
  const replies = markedAs(tags, "reply")
  if (roots.length > 1 || replies.length > 1 || roots.length + replies.length !== references.length)
    return malformed
  const parentId = replies[0] ?? roots[0]
  const rootId = roots[0] ?? replies[0]
  return isHex64(parentId) && isHex64(rootId) && parentId !== id && rootId !== id
    ? { _tag: "Reply", rootId, parentId }
    : malformed
}

const readEdit = ({ tags }: NostrEvent): Meaning => {
  const [targetId] = valuesOf(tags, "e")
  return isHex64(targetId) ? { _tag: "Edit", targetId } : malformed
}

const readDeletion = ({ tags }: NostrEvent): Meaning => {
  const [targetId] = valuesOf(tags, "e")
  if (targetId !== undefined) return isHex64(targetId) ? { _tag: "Deletion", targetId } : malformed
  return valuesOf(tags, "a").length > 0 ? { _tag: "Deletion", targetId: null } : malformed
}

/** Reads a verified event of a channel (spec 2-relay, Inbound event projection). */
export const meaningOf = (event: NostrEvent, channelId: string): Meaning => {
  const channels = valuesOf(event.tags, "h")
  // A relay delivers a deletion by the channel of its target, so it may come without one of its own (relay-wire a).
  const belongs =
    channels.length === 0 ? event.kind === kinds.deletion : channels.every((channel) => channel === channelId)
  const known =
    event.kind === kinds.message ||
    event.kind === kinds.edit ||
    event.kind === kinds.moderatorDeletion ||
    event.kind === kinds.deletion
  if (!known) return { _tag: "Ignored", reason: "unknown_kind" }
  if (!belongs) return channels.length === 0 ? malformed : { _tag: "Ignored", reason: "wrong_channel" }
  switch (event.kind) {
    case kinds.message:
      return readMessage(event)
    case kinds.edit:
      return readEdit(event)
    default:
      return readDeletion(event)
  }
}

/** Where a message is in its own world (spec README, ruling 21). */
export const linkOf = (community: string, channelId: string, eventId: string): string =>
  `relay://message?${new URLSearchParams({ community, channel: channelId, id: eventId })}`

/** The id of a message that came from a relay. */
export const messageIdOf = (eventId: string): string => `msg_relay_${eventId}`
