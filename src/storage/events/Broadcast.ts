import type { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Sql } from "../Sql.ts"
import type { OutboxEvent } from "./Outbox.ts"

/**
 * Who may see a message, by the permissions or the `userId` of whoever listens. Not everything is for all who may read
 * tasks: a run is shared with some, a channel is private. It is asked of each listener before each delivery, in replays
 * too, so it looks nothing up. An answer holds as long as the connection, which is closed when the permissions or the
 * user behind it change.
 */
export type Audience = (listener: ActorContext) => boolean

/**
 * A message of the live stream. With a topic it goes to those who subscribed to that alone, with an audience to those
 * who belong to it.
 */
export interface Told {
  readonly message: Readonly<Record<string, unknown>>
  readonly topic?: string
  readonly audience?: Audience
}

/**
 * Turns the events of one kind of resource into messages of the live stream. Rooms declare theirs; the WebSocket hub
 * renders each message once for all its listeners. A message shows the resource as it is by then, whatever happened to
 * it: of several events at once only the last is rendered. `undefined` means that there is nothing to tell.
 */
export interface Broadcast {
  /** The resource whose streams this reads, e.g. `task`. */
  readonly resource: string
  readonly render: (event: OutboxEvent) => Effect.Effect<Told | undefined, never, Sql>
}
