import { Schema } from "effect"
import { kept } from "../../kernel/Incoming.ts"
import { everyIssue, nonBlank } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"

/** The id of a channel as it comes in a path: a UUID, in small letters from here on. */
export const ChannelIdParam = Schema.transform(
  Schema.String.pipe(
    Schema.pattern(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, {
      message: () => "Expected the UUID of a relay channel"
    })
  ),
  Schema.String,
  { strict: true, decode: (id) => id.toLowerCase(), encode: (id) => id }
)
  .annotations({ description: "The UUID of a relay channel" })
  .pipe(kept("The digits of a UUID are no secret."))

/** What a channel leads to: the squad chat. */
const Target = Schema.Struct({ kind: Schema.Literal("squad") })

/** The body of a PUT. */
export const MappingBody = Schema.Struct({
  target: Target,
  enabled: Schema.Boolean,
  actor: nonBlank(200)
}).annotations({ identifier: "ChannelMappingBody", ...everyIssue })
export type MappingBody = typeof MappingBody.Type

/** A channel of a relay that leads to the squad chat (spec 2-relay, Channel mapping). */
export const Mapping = Schema.Struct({
  id: Schema.String.annotations({ description: "`map_<id>`" }),
  adapterId: Schema.String,
  channelId: Schema.String,
  target: Target,
  enabled: Schema.Boolean,
  actor: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "ChannelMapping" })
export type Mapping = typeof Mapping.Type

/** How far a channel was read. Event times are seconds, as relays have them. */
export interface Cursor {
  /** The last event that is stored together with all events before it. */
  readonly at: number | null
  readonly eventId: string | null
  /** A query has shown that nothing is missing up to this time. */
  readonly confirmedAt: number
}

/** A mapping as storage holds it. */
export interface StoredMapping extends Mapping {
  readonly cursor: Cursor
}
