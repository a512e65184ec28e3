import type { Effect } from "effect"
import type { OutboxEvent } from "./Outbox.ts"
import type { Sql } from "./Sql.ts"

/** A message of the live stream. With a topic it goes to those who subscribed to that alone. */
export interface Told {
  readonly message: Readonly<Record<string, unknown>>
  readonly topic?: string
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
