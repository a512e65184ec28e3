import type { Thread } from "../deliveries/Thread.ts"
import { kinds, type Tag, type Template } from "../wire/NostrEvent.ts"
import { clientTag } from "../wire/OwnEvent.ts"

/** What a message needs to become an event. */
export interface Outgoing {
  readonly channelId: string
  readonly deliveryId: string
  readonly text: string
  /** What it answers; undefined for a root. */
  readonly parent: Thread | undefined
  /** Seconds since the epoch. */
  readonly at: number
}

/**
 * The place of a reply, in the two forms that a relay takes (decision 21): an answer to a root names it as `reply`, an
 * answer to a reply names the root and the reply.
 */
const threadTags = (parent: Thread | undefined): ReadonlyArray<Tag> => {
  if (parent === undefined) return []
  const reply: Tag = ["e", parent.eventId, "", "reply"]
  return parent.eventId === parent.rootEventId ? [reply] : [["e", parent.rootEventId, "", "root"], reply]
}

/** The event of a message, before it is signed (spec 2-relay, Send request). */
export const compose = ({ at, channelId, deliveryId, parent, text }: Outgoing): Template => ({
  kind: kinds.message,
  created_at: at,
  content: text,
  tags: [["h", channelId], ...threadTags(parent), ["client", clientTag], ["delivery", deliveryId]]
})
