import { Schema } from "effect"
import { Timestamp } from "../../kernel/Time.ts"
import { Direction } from "./Delivery.ts"

/** A message of the squad chat, and what it is elsewhere. */
export interface Thread {
  readonly adapterId: string
  readonly community: string
  readonly channelId: string
  readonly eventId: string
  readonly rootEventId: string
  readonly direction: Direction
  readonly squadMessageId: string
  readonly rootSquadMessageId: string
}

/** The same as it is shown: elsewhere it is an event of a relay, or a reply of a team chat. */
export const ThreadMapping = Schema.Struct({
  id: Schema.String,
  adapterId: Schema.String,
  direction: Direction,
  squadMessageId: Schema.String,
  rootSquadMessageId: Schema.String,
  eventId: Schema.String,
  rootEventId: Schema.String,
  channelId: Schema.String,
  community: Schema.String,
  createdAt: Timestamp
}).annotations({ identifier: "ThreadMapping" })
export type ThreadMapping = typeof ThreadMapping.Type

/** Which of them to list, and how many: 100 unless told. */
export interface ThreadFilter {
  readonly adapterId?: string | undefined
  readonly squadMessageId?: string | undefined
  readonly limit?: number | undefined
}
