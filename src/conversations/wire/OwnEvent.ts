import { type NostrEvent, valuesOf } from "./NostrEvent.ts"

/** What every event of our own carries, besides the channel: who sent it, and which delivery it is. */
export const clientTag = "muster"

/** Whether an event looks like one that this service sent: echoes are never brought in. */
export const isOurs = ({ pubkey, tags }: NostrEvent, ownKey: string): boolean =>
  pubkey === ownKey &&
  valuesOf(tags, "client").includes(clientTag) &&
  valuesOf(tags, "delivery").some((id) => id.startsWith("delivery_"))
