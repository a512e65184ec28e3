// B10: 20,000 signed events of a channel come in, 30 % of them a second time and 10 % out of their order. Beside the
// bound that no bridge can beat, which is checking the signatures of what is new on one core, and beside a relay of npm
// that takes the same events. Everything runs in this process, on files, in rounds; the figures are medians. Durability
// is not the same: Muster commits with synchronous=FULL, the relay with what its driver has, which is NORMAL.
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { EventUtils, LogLevel } from "@nostr-relay/common"
import { NostrRelay } from "@nostr-relay/core"
import { EventRepositorySqlite } from "@nostr-relay/event-repository-sqlite"
import { Validator } from "@nostr-relay/validator"
import { Effect, Exit, Layer, Scope } from "effect"
import { initNostrWasm } from "nostr-wasm"
import { loadSource } from "../build/programs.mjs"
import { median, table, temporaryDirectory } from "./world.mjs"

const MappingRepo = await loadSource("src/integrations/relay/channels/MappingRepo.ts")
const { advance, asked, ingest, liveSource } = await loadSource("src/integrations/relay/inbound/Ingest.ts")
const { Verifier } = await loadSource("src/integrations/relay/nostr/Verifier.ts")
const { Storage } = await loadSource("src/storage/Storage.ts")

process.setMaxListeners(1_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const total = Number(process.env.BENCH_EVENTS ?? 20_000)
const unique = Math.round(total * 0.7)
/** As many as the bridge takes of a live subscription at once, and of a window of the past. */
const [liveBatch, windowSize] = [64, 2_000]
const channel = "3f8b1c2a-9d4e-4f60-8a71-5b2c3d4e5f60"
const nostr = await initNostrWasm()

/** The same numbers in every run (mulberry32). */
let state = 20_261_121
const random = () => {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
const upTo = (count) => Math.floor(random() * count)

/** A chat of ten people: a third of what is said answers something recent. */
const conversation = () => {
  const keys = Array.from({ length: 10 }, (_, index) => new Uint8Array(32).fill(index + 1))
  const start = Math.floor(Date.now() / 1_000) - 600
  const events = []
  for (let index = 0; index < unique; index++) {
    const parent = index > 0 && random() < 0.33 ? events[Math.max(0, index - 1 - upTo(50))] : undefined
    const reply = parent && [["e", parent.id, "", "reply"]]
    // The tags of a reply name its root first.
    const root = parent?.tags.find(([name]) => name === "e")
    const event = {
      kind: 9,
      created_at: start + Math.floor((index * 500) / unique),
      tags: [["h", channel], ...(root === undefined ? [] : [["e", root[1], "", "root"]]), ...(reply ?? [])],
      content: `Message ${index}: ${"somebody should look at this before noon. ".repeat(1 + upTo(4))}`
    }
    nostr.finalizeEvent(event, keys[upTo(keys.length)])
    events.push(event)
  }
  return events
}

const fresh = conversation()
const arrivals = [...fresh]
for (let moved = 0; moved < total * 0.1; moved++) {
  const from = upTo(arrivals.length)
  const [event] = arrivals.splice(from, 1)
  arrivals.splice(Math.min(arrivals.length, from + 1 + upTo(200)), 0, event)
}
const repeats = Array.from({ length: total - unique }, () => upTo(arrivals.length)).sort((a, b) => b - a)
for (const at of repeats) arrivals.splice(Math.min(arrivals.length, at + 1 + upTo(300)), 0, arrivals[at])

/** New objects each time: nobody shall find a mark that an earlier check has left. */
const copy = (events) => JSON.parse(JSON.stringify(events))
const inBatches = (events, size) =>
  Array.from({ length: Math.ceil(events.length / size) }, (_, index) =>
    events.slice(index * size, (index + 1) * size)
  )

/** Measures a piece of work: wall clock, CPU of this process, and how long the event loop stood still. */
const measure = async (work) => {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  globalThis.gc?.()
  delays.enable()
  const cpu = process.cpuUsage()
  const from = performance.now()
  await work()
  const seconds = (performance.now() - from) / 1_000
  const { system, user } = process.cpuUsage(cpu)
  delays.disable()
  return {
    seconds,
    cpuSeconds: (system + user) / 1e6,
    // Work that never lets the event loop turn leaves nothing to count.
    p99: delays.count === 0 ? Number.POSITIVE_INFINITY : delays.percentile(99) / 1e6,
    longest: delays.count === 0 ? Number.POSITIVE_INFINITY : delays.max / 1e6
  }
}

const mapping = {
  id: "map_bench",
  adapterId: "bench",
  channelId: channel,
  target: { kind: "squad" },
  enabled: true,
  actor: "bridge",
  createdAt: new Date(0).toISOString(),
  updatedAt: new Date(0).toISOString()
}
const place = { mapping, community: "relay.example", ownKey: "0".repeat(64) }

/** Storage on a file of its own, as the server opens it, with the channel mapped. */
const openMuster = async () => {
  const scope = await Effect.runPromise(Scope.make())
  const layer = Layer.merge(Storage.layerSqlite({ directory: temporaryDirectory() }), Verifier.layer)
  const context = await Effect.runPromise(
    Layer.buildWithScope(Layer.provide(layer, NodeContext.layer), scope)
  )
  const run = (effect) => Effect.runPromise(Effect.provide(effect, context))
  await run(Effect.flatMap(Storage, ({ write }) => write(MappingRepo.insert(mapping, 0))))
  // The library that checks signatures is loaded with the first event.
  await run(Effect.flatMap(Verifier, ({ verify }) => verify(copy(fresh.slice(0, 1)))))
  return { run, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

const bringIn = (muster, batches, source) => () =>
  muster.run(
    Effect.forEach(batches, (batch) =>
      Effect.flatMap(ingest(batch, place, source), (found) => advance(mapping.id, found.fresh))
    )
  )

const musterRound = async (size, source) => {
  const muster = await openMuster()
  const first = await measure(bringIn(muster, inBatches(copy(arrivals), size), source))
  const again = await measure(bringIn(muster, inBatches(copy(arrivals), size), source))
  const kept = await muster.run(
    Effect.flatMap(Storage, ({ select }) =>
      select({ text: "SELECT count(*) AS n FROM squad_messages", parameters: [] })
    )
  )
  if (kept[0].n !== unique) throw new Error(`Muster has ${kept[0].n} messages of ${unique}`)
  await muster.close()
  return [first, again]
}

const verifyRound = () => {
  const events = copy(fresh)
  return measure(async () => {
    for (const event of events) nostr.verifyEvent(event)
  })
}

const relayRound = async () => {
  const repository = new EventRepositorySqlite(join(temporaryDirectory(), "relay.db"))
  await repository.init()
  const relay = new NostrRelay(repository, { logLevel: LogLevel.ERROR })
  const validator = new Validator()
  const frames = copy(arrivals).map((event) => ["EVENT", event])
  const took = await measure(async () => {
    for (const frame of frames) {
      const [, event] = await validator.validateIncomingMessage(frame)
      const { success } = await relay.handleEvent(event)
      if (!success) throw new Error("The relay refused an event")
    }
  })
  await relay.destroy()
  await repository.destroy()
  return took
}

/** The relay has no setting for its verifier, so its two checks are exchanged in memory for the time of a round. */
const relayWithWasm = async () => {
  const { isIdValid, isSigValid } = EventUtils
  EventUtils.isIdValid = () => true
  EventUtils.isSigValid = (event) => {
    nostr.verifyEvent(event)
    return true
  }
  try {
    return await relayRound()
  } finally {
    Object.assign(EventUtils, { isIdValid, isSigValid })
  }
}

const runs = { verify: [], window: [], windowAgain: [], live: [], liveAgain: [], relay: [], relayWasm: [] }
const wanted = (process.env.BENCH_ROWS ?? "verify,window,live,relay,relayWasm").split(",")
const work = {
  verify: async () => runs.verify.push(await verifyRound()),
  window: async () => {
    const [first, again] = await musterRound(windowSize, asked)
    runs.window.push(first)
    runs.windowAgain.push(again)
  },
  live: async () => {
    const [first, again] = await musterRound(liveBatch, liveSource())
    runs.live.push(first)
    runs.liveAgain.push(again)
  },
  relay: async () => runs.relay.push(await relayRound()),
  relayWasm: async () => runs.relayWasm.push(await relayWithWasm())
}
for (let round = 0; round < rounds; round++) {
  const order = round % 2 === 0 ? wanted : [...wanted].reverse()
  for (const name of order) await work[name]()
}

const of = (name, figure) => median(runs[name].map((run) => run[figure]))
/** New events a second of each, as the bound has them. */
const speed = (name) => unique / of(name, "seconds")
const perCpu = (name) => unique / of(name, "cpuSeconds")
const whole = (value) => Math.round(value).toLocaleString("en")
const against = (name, other) =>
  runs[other].length === 0 || name.endsWith("Again") ? "" : (speed(name) / speed(other)).toFixed(2)
const perCpuAgainst = (name) =>
  runs.verify.length === 0 || name.endsWith("Again") ? "" : (perCpu(name) / perCpu("verify")).toFixed(2)
const delay = (name) =>
  of(name, "longest") === Number.POSITIVE_INFINITY
    ? "it never turns"
    : `${of(name, "p99").toFixed(0)} / ${of(name, "longest").toFixed(0)}`
const row = (title, name, count) => ({
  [`B10 ${whole(total)} events, ${whole(unique)} new`]: title,
  "events/s": whole(count / of(name, "seconds")),
  "new per CPU second": name.endsWith("Again") ? "" : whole(perCpu(name)),
  "to the bound, new/s": against(name, "verify"),
  "to the bound, per CPU second": perCpuAgainst(name),
  "to the relay, new/s": against(name, "relay"),
  "event loop delay p99/max ms": delay(name)
})
const titles = {
  verify: ["nostr-wasm checks what is new, and nothing else: the bound", unique],
  window: [`Muster, windows of ${whole(windowSize)} (the past)`, total],
  windowAgain: ["the same again: duplicates alone", total],
  live: [`Muster, batches of ${liveBatch} (as it happens)`, total],
  liveAgain: ["the same again: duplicates alone, each told", total],
  relay: ["@nostr-relay/core with validator and SQLite", total],
  relayWasm: ["the same, its check exchanged for nostr-wasm", total]
}
console.log(
  table(
    Object.entries(titles)
      .filter(([name]) => runs[name].length > 0)
      .map(([name, [title, count]]) => row(title, name, count))
  )
)
