import { Schema } from "effect"

const Tag = Schema.Array(Schema.String)
export type Tag = typeof Tag.Type

/** A signed event (NIP-01). `created_at` is seconds since the epoch; ids, keys and signatures are lower-case hex. */
export const NostrEvent = Schema.Struct({
  id: Schema.String,
  pubkey: Schema.String,
  created_at: Schema.Number,
  kind: Schema.Number,
  tags: Schema.Array(Tag),
  content: Schema.String,
  sig: Schema.String
})
export type NostrEvent = typeof NostrEvent.Type

/** What an event says before somebody signs it. */
export type Template = Pick<NostrEvent, "created_at" | "kind" | "tags" | "content">

/** Which events a relay is asked for (NIP-01). `before_id` continues a page below `until` (relay-wire 0.8). */
export interface Filter {
  readonly ids?: ReadonlyArray<string>
  readonly authors?: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<number>
  readonly "#h"?: readonly [channel: string]
  readonly "#d"?: ReadonlyArray<string>
  readonly since?: number
  readonly until?: number
  readonly limit?: number
  readonly before_id?: string
}

/** The kinds that the bridge speaks or hears. */
export const kinds = {
  deletion: 5,
  message: 9,
  moderatorDeletion: 9005,
  relayAuth: 22242,
  httpAuth: 27235,
  persona: 30175,
  team: 30176,
  channel: 39000,
  edit: 40003
} as const

/** What is heard of a channel (spec 2-relay, Events). */
export const channelKinds = [kinds.message, kinds.edit, kinds.moderatorDeletion, kinds.deletion] as const

/** Events in the order of their place in a channel: by time, and by id within a second. */
export const byPlace = (
  a: Pick<NostrEvent, "created_at" | "id">,
  b: Pick<NostrEvent, "created_at" | "id">
): number => a.created_at - b.created_at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** The values of the tags with a name. */
export const valuesOf = (tags: ReadonlyArray<Tag>, name: string): ReadonlyArray<string> =>
  tags.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []))
