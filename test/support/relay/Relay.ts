import { Effect, type Scope } from "effect"
import { Budget } from "./Budget.ts"
import { Channels } from "./Channels.ts"
import { type Context, take } from "./Context.ts"
import { message } from "./Drafts.ts"
import { startEngine } from "./Engine.ts"
import { type Fault, Faults, type Responder } from "./Faults.ts"
import { Journal, type Seen } from "./Journal.ts"
import { identities, type SignedEvent } from "./Keys.ts"
import { RelayServer } from "./RelayServer.ts"
import { channelsHeard } from "./RelaySocket.ts"
import { type RelayOptions, settingsOf } from "./Settings.ts"

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

/** Starts a relay that whoever called has to close. */
export const startRelay = async (
  options: RelayOptions = {}
): Promise<TestRelay & { readonly close: () => Promise<void> }> => {
  const settings = settingsOf(options)
  const self = identities.relay.publicKey
  const journal = new Journal()
  const engine = await startEngine(settings, self, (event) => {
    for (const socket of server.sockets) socket.hear(event)
  })
  const channels = new Channels(settings, engine)
  const faults = new Faults()
  const host = (): string => `127.0.0.1:${server.port}`
  const budget = new Budget(settings)
  const context: Context = { settings, engine, channels, journal, budget, faults, self, host }
  const server: RelayServer = new RelayServer(context)
  await channels.announce()
  await server.start(settings.port)
  const { moods, port } = server

  const flood = async (count: number, channel?: string): Promise<ReadonlyArray<SignedEvent>> => {
    const by = identities.stranger
    const named = channel === undefined ? channelsHeard(server.sockets) : [channel]
    const events = named.flatMap((into) =>
      Array.from({ length: count }, (_, index) => message({ by, channel: into, content: `flood ${index}` }))
    )
    // Signed a moment ago by ourselves: the engine's check would make a trickle of it.
    for (const event of events) await engine.repository.upsert(event)
    for (const event of events) for (const socket of server.sockets) socket.hear(event)
    return events
  }

  return {
    url: `http://${host()}${settings.pathPrefix}`,
    wsUrl: `ws://${host()}${settings.pathPrefix}`,
    host: host(),
    port,
    self,
    journal,
    set: (changes) =>
      Effect.promise(async () => {
        Object.assign(settings, changes)
        await channels.announce()
        for (const socket of server.sockets) socket.reconsider()
      }),
    eventsIn: (channel) => engine.repository.eventsIn(channel),
    waitFor: (predicate, timeoutMs) => Effect.promise(() => journal.waitFor(predicate, timeoutMs)),
    publish: (event) => Effect.promise(() => take(context, event)),
    seed: (events) =>
      Effect.promise(async () => {
        for (const event of events) {
          const { message, success } = await engine.seed(event)
          if (!success) throw new Error(`the relay doesn't keep ${event.id}: ${message}`)
        }
      }),
    inject: (event) => {
      const raw = typeof event === "string" ? event : JSON.stringify(event)
      for (const socket of server.sockets) {
        for (const id of socket.subscriptions.keys())
          socket.sendText(`["EVENT",${JSON.stringify(id)},${raw}]`)
      }
    },
    say: (frame) => {
      for (const socket of server.sockets) socket.sendText(frame)
    },
    serve: (path, responder) => {
      if (responder === undefined) faults.responders.delete(path)
      else faults.responders.set(path, responder)
    },
    faultNext: (path, fault, times) => faults.next(path, fault, times),
    dropSockets: () => {
      for (const socket of server.sockets) socket.terminate()
    },
    closeSockets: (code, reason) => {
      for (const socket of server.sockets) socket.close(code, reason)
    },
    deaf: (on) => {
      moods.deaf = on
    },
    closeSubscriptions: (text) => {
      for (const socket of server.sockets) socket.closeSubscriptions(text)
    },
    flood: (count, channel) => Effect.promise(() => flood(count, channel)),
    refuseAuth: (text) => {
      moods.refuseAuth = text
    },
    silentAuth: (on = true) => {
      moods.silentAuth = on
    },
    stop: () => Effect.promise(() => server.stop()),
    start: () => Effect.promise(() => server.start(port)),
    close: async () => {
      await server.stop()
      await engine.close()
    }
  }
}

/** Starts a relay on a free port of this machine; it goes away with the scope. */
export const relay = (options: RelayOptions = {}): Effect.Effect<TestRelay, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => startRelay(options)),
    (running) => Effect.promise(() => running.close())
  )
