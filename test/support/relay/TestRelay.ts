import type { Effect } from "effect"
import type { Fault, Responder } from "./Faults.ts"
import type { Seen } from "./Journal.ts"
import type { SignedEvent } from "./Keys.ts"
import type { RelayOptions } from "./Settings.ts"

/** What the relay said to an event. */
export interface Taken {
  readonly accepted: boolean
  readonly message: string
}

/**
 * A relay for tests. A façade of our own over a real relay engine (@nostr-relay/core with SQLite, on loopback): the
 * engine verifies, stores, filters, knows duplicates and replaces heads; the façade adds what relays of the family have
 * and no relay of npm does, which are the HTTP routes, NIP-98, windows, membership, channels, budgets and bodies of
 * errors, and the fan-out, for the engine's own doesn't look at tags and starts late.
 */
export interface TestRelay {
  readonly url: string
  readonly wsUrl: string
  readonly host: string
  readonly port: number
  /** The public key that NIP-11 tells as `self`. */
  readonly self: string
  readonly journal: Seen
  /** Changes what the relay is while it runs. Who may no longer see a channel loses its subscriptions. */
  readonly set: (options: Omit<RelayOptions, "port" | "file" | "pathPrefix">) => Effect.Effect<void>
  /** All that can be seen in a channel, oldest first. */
  readonly eventsIn: (channel: string) => ReadonlyArray<SignedEvent>
  /** Waits for the relay to have seen something; dies with what it saw when that takes too long. */
  readonly waitFor: (predicate: (seen: Seen) => boolean, timeoutMs?: number) => Effect.Effect<void>
  /** Lets an event come in from another client, through all checks. */
  readonly publish: (event: SignedEvent) => Effect.Effect<Taken>
  /** Puts events of any age into the store, verified but told to nobody. */
  readonly seed: (events: ReadonlyArray<SignedEvent>) => Effect.Effect<void>
  /** Sends live subscribers an event that nobody checked: a lie, as text or as an object. */
  readonly inject: (event: string | object) => void
  /** Sends all sockets a frame as it stands. */
  readonly say: (frame: string) => void
  /** Answers a path in another way, until it's called without a responder. */
  readonly serve: (path: string, responder?: Responder) => void
  /** Lets the next requests to a path suffer; `ws` is the upgrade, which knows hang, cut, redirect and status. */
  readonly faultNext: (path: string, fault: Fault, times?: number) => void
  /** Cuts all sockets without a close frame. */
  readonly dropSockets: () => void
  readonly closeSockets: (code: number, reason?: string) => void
  /** Keeps live events back, and says nothing of it. */
  readonly deaf: (on: boolean) => void
  readonly closeSubscriptions: (text: string) => void
  /** Stores that many messages of a stranger in a channel, or in all that are listened to, and sends them at once. */
  readonly flood: (count: number, channel?: string) => Effect.Effect<ReadonlyArray<SignedEvent>>
  /** Refuses every answer to a challenge with a text, until it's called without one. */
  readonly refuseAuth: (text?: string) => void
  /** Sends no challenge any more. */
  readonly silentAuth: (on?: boolean) => void
  /** Goes away with 1012 for all sockets, and comes back on the same port with the same data. */
  readonly stop: () => Effect.Effect<void>
  readonly start: () => Effect.Effect<void>
}
