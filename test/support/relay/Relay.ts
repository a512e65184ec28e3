import { Effect, type Scope } from "effect"
import { Budget } from "./Budget.ts"
import { Channels } from "./Channels.ts"
import { type Context, take } from "./Context.ts"
import { message } from "./Drafts.ts"
import { startEngine } from "./Engine.ts"
import { Faults } from "./Faults.ts"
import { Journal } from "./Journal.ts"
import { identities, type SignedEvent } from "./Keys.ts"
import { RelayServer } from "./RelayServer.ts"
import { type RelayOptions, settingsOf } from "./Settings.ts"
import { channelsHeard } from "./Subscription.ts"
import type { TestRelay } from "./TestRelay.ts"

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
    const named =
      channel === undefined
        ? channelsHeard([...server.sockets].flatMap(({ subscriptions }) => [...subscriptions.values()]))
        : [channel]
    const events = named.flatMap((into) =>
      Array.from({ length: count }, (_, index) => message({ by, channel: into, content: `flood ${index}` }))
    )
    // Past the engine, whose check of a signature would make a trickle of it.
    for (const event of events) await engine.seed(event)
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
    waitFor: (predicate, timeoutMs) =>
      Effect.promise((signal) => journal.waitFor(predicate, timeoutMs, signal)),
    publish: (event) => Effect.promise(() => take(context, event)),
    seed: (events) =>
      Effect.promise(async () => {
        for (const event of events) await engine.seed(event)
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
