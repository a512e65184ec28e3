import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { type Context, Effect, Exit, Layer, Logger, LogLevel, Random, Redacted, Scope } from "effect"
import * as SquadPost from "../../../src/board/squad/SquadPost.ts"
import { Adapters } from "../../../src/conversations/adapters/Adapters.ts"
import { Bridge } from "../../../src/conversations/bridge/Bridge.ts"
import { overlap } from "../../../src/conversations/bridge/History.ts"
import { Kinds } from "../../../src/conversations/Conversations.ts"
import { Channels } from "../../../src/conversations/channels/Channels.ts"
import { Communication } from "../../../src/conversations/communication/Communication.ts"
import { Compatibility } from "../../../src/conversations/compatibility/Compatibility.ts"
import { Outgoing } from "../../../src/conversations/outbox/Outgoing.ts"
import * as OutgoingRepo from "../../../src/conversations/outbox/OutgoingRepo.ts"
import type { Relay } from "../../../src/conversations/relay/Relay.ts"
import type { NostrEvent, Tag } from "../../../src/conversations/wire/NostrEvent.ts"
import { RelayClient, RelayFailure } from "../../../src/conversations/wire/RelayClient.ts"
import { actorOf } from "../../../src/kernel/Actor.ts"
import { Circuits } from "../../../src/kernel/outbound/Circuits.ts"
import { Outbound } from "../../../src/kernel/outbound/Outbound.ts"
import { Secrets } from "../../../src/kernel/Secrets.ts"
import { Vault } from "../../../src/kernel/Vault.ts"
import { Workers } from "../../../src/kernel/Worker.ts"
import { sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { type Dice, dice } from "../../support/relay/Dice.ts"
import { identities } from "../../support/relay/Keys.ts"
import { forgedSignature, ModelRelay, modelVerifier } from "../../support/relay/ModelRelay.ts"
import { rootOf } from "../../support/relay/Tags.ts"
import { storageInMemory } from "../../support/TestStorage.ts"
import { type VirtualClock, virtualClock } from "../../support/VirtualClock.ts"
import { temporaryDirectory } from "../../support/World.ts"

const channel = "3f8b1c2a-9d4e-4f60-8a71-5b2c3d4e5f60"
const elsewhere = "7a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"
const startMs = Date.parse("2026-11-01T00:00:00Z")
const adapterId = "community"

const operator = actorOf({ name: "storm", role: "admin", authMethod: "auth-disabled" })

/** The bridge with all that it needs, as the program puts it together, but for the way to the relay. */
const bridgeOver = (model: ModelRelay, directory: string) =>
  Communication.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Adapters.layer, Channels.layer)),
    Layer.provideMerge(Kinds),
    Layer.provideMerge(Bridge.layer),
    Layer.provideMerge(Layer.mergeAll(Compatibility.layer, Outgoing.layer)),
    Layer.provide(
      Layer.mergeAll(
        Layer.succeed(RelayClient, model.client),
        modelVerifier,
        Workers.layer,
        Layer.provide(Vault.layer(join(directory, "vault-key.json")), NodeContext.layer),
        Layer.provide(Outbound.layer(), Circuits.layer),
        Secrets.layer(new Map([["RELAY_PRIVATE_KEY", Redacted.make(identities.bridge.hex)]]))
      )
    )
  )

type Services = Adapters | Bridge | Channels | Communication | Compatibility | Outgoing | Relay

/** A bridge as a process: it can end at any moment and be started again on the same store. */
const makeProcess = (model: ModelRelay) =>
  Effect.gen(function* () {
    const store = yield* Storage
    const directory = yield* temporaryDirectory
    let running:
      | { readonly scope: Scope.CloseableScope; readonly services: Context.Context<Services> }
      | undefined
    const stop = Effect.suspend(() => {
      const before = running
      running = undefined
      return before === undefined ? Effect.void : Scope.close(before.scope, Exit.void)
    })
    const start = Effect.gen(function* () {
      const scope = yield* Scope.make()
      const services = yield* Layer.buildWithScope(bridgeOver(model, directory), scope).pipe(
        Effect.provideService(Storage, store)
      )
      running = { scope, services }
    })
    yield* start
    yield* Effect.addFinalizer(() => stop)
    return {
      restart: Effect.zipRight(stop, start),
      use: <A, E>(effect: Effect.Effect<A, E, Services>): Effect.Effect<A> =>
        Effect.suspend(() =>
          running === undefined
            ? Effect.dieMessage("The bridge does not run")
            : Effect.provide(Effect.orDie(effect), running.services)
        )
    }
  })

/** A message of the board that goes out, and the event that it became. */
interface Sending {
  readonly squadMessageId: string
}

/** What people write: messages of every shape, at every time that a relay admits. */
class Author {
  private readonly dice: Dice
  private readonly model: ModelRelay
  private readonly now: () => number

  constructor(dice: Dice, model: ModelRelay, now: () => number) {
    this.dice = dice
    this.model = model
    this.now = now
  }

  private event(kind: number, tags: ReadonlyArray<Tag>, content: string): NostrEvent {
    const { dice } = this
    const seconds = Math.floor(this.now() / 1_000)
    // Most clocks are right; some are off by as much as a relay lets pass, and many agree on a second.
    const off = dice.percent(80) ? 0 : dice.percent(30) ? -895 + dice.below(5) : dice.below(1_790) - 895
    return {
      id: dice.hex(64),
      pubkey: dice.pick([identities.alice, identities.bob, identities.stranger]).publicKey,
      created_at: seconds + off,
      kind,
      tags,
      content,
      sig: `${dice.hex(126)}00`
    }
  }

  private threadTags(parent: NostrEvent): ReadonlyArray<Tag> {
    const root = rootOf(parent)
    if (root !== parent.id)
      return [
        ["e", root, "", "root"],
        ["e", parent.id, "", "reply"]
      ]
    return [["e", parent.id, "", "reply"]]
  }

  /** Writes one thing. */
  write(): void {
    const { dice, model } = this
    const messages = model.visible().filter(({ event }) => event.kind === 9)
    const recent = dice.percent(80) ? messages.slice(-12) : messages
    const h: Tag = ["h", channel]
    const target = recent.length === 0 ? undefined : dice.pick(recent).event
    const what = dice.below(100)
    if (what < 35 || target === undefined) model.publish(this.event(9, [h], `root ${dice.hex(6)}`))
    else if (what < 82) model.publish(this.event(9, [h, ...this.threadTags(target)], `reply ${dice.hex(6)}`))
    else if (what < 88) model.publish(this.event(40_003, [h, ["e", target.id]], "an edit"))
    else if (what < 91) model.publish(this.event(40_003, [h, ["e", dice.hex(64)]], "an edit of the unknown"))
    else if (what < 93) model.publish(this.event(9_005, [h, ["e", dice.hex(64)]], ""))
    else if (what < 94) model.publish(this.event(5, [["e", target.id]], ""))
    else if (what < 96) model.publish(this.event(9, [h, ["e", target.id, "", "mention"]], "a mention"))
    else this.lie()
  }

  /** What no honest relay passes on. */
  private lie(): void {
    const { dice, model } = this
    const event = this.event(9, [["h", channel]], "a lie")
    model.say(
      dice.pick<unknown>([
        { ...event, sig: forgedSignature },
        { ...event, tags: [["h", elsewhere]] },
        { ...event, kind: 7 },
        { ...event, created_at: -1 },
        { ...event, id: "short" },
        "noise"
      ])
    )
  }
}

interface Posted {
  readonly id: string
  readonly replyToId: string | null
}

const chat = Effect.flatMap(Storage, ({ select }) =>
  select<Posted>(sql`SELECT id, reply_to_id AS replyToId FROM squad_messages`)
)

const knownIds = Effect.flatMap(Storage, ({ select }) =>
  Effect.map(
    select<{ id: string }>(
      sql`SELECT event_id AS id FROM communication_threads UNION SELECT event_id FROM relay_notes
        UNION SELECT event_id FROM relay_pending`
    ),
    (found) => new Set(found.map(({ id }) => id))
  )
)

/** Since when replies wait for what they answer. */
const waiting = Effect.flatMap(Storage, ({ select }) =>
  Effect.map(
    select<{ id: string; at: number }>(sql`SELECT event_id AS id, received_at AS at FROM relay_pending`),
    (found) => new Map(found.map(({ at, id }) => [id, at]))
  )
)

interface Cursor {
  readonly at: number | null
  readonly confirmedAt: number
}

const cursor = Effect.flatMap(Storage, ({ select }) =>
  Effect.map(
    select<Cursor>(sql`SELECT cursor_at AS at, confirmed_at AS confirmedAt FROM relay_mappings`),
    ([found]) => found ?? { at: null, confirmedAt: 0 }
  )
)

/** What the storm finds wrong; it says so in words, for whoever reads a failure. */
export interface Verdict {
  readonly faults: ReadonlyArray<string>
  readonly messages: number
  readonly days: number
}

/** The cursor may stand where it likes as long as nothing is missing below it, and never in the future. */
const cursorFaults = (model: ModelRelay, clock: VirtualClock) =>
  Effect.gen(function* () {
    const { at, confirmedAt } = yield* cursor
    const seconds = Math.floor(clock.now() / 1_000)
    const faults: Array<string> = []
    if (confirmedAt > seconds) faults.push(`confirmed ${confirmedAt - seconds} s in the future`)
    if (at !== null && at > seconds) faults.push(`the cursor is ${at - seconds} s in the future`)
    const known = yield* knownIds
    const missed = model
      .visible()
      .filter(
        ({ event }) => event.created_at < confirmedAt - overlap && event.created_at > startMs / 1_000 + 1_000
      )
      .filter(({ event }) => !known.has(event.id))
    for (const { at: came, event } of missed.slice(0, 3))
      faults.push(
        `the cursor has passed ${event.id.slice(0, 8)}: created ${confirmedAt - event.created_at} s before what is confirmed, came ${Math.round((clock.now() - came) / 1_000)} s ago`
      )
    return faults
  })

/** Whatever is open is counted, and has a time at which it is looked at again: nothing is left lying. */
const deliveryFaults = (clock: VirtualClock) =>
  Effect.gen(function* () {
    const { read, select } = yield* Storage
    const open = yield* select<{ status: string }>(
      sql`SELECT status FROM communication_deliveries
        WHERE direction = 'outbound' AND status IN ('queued', 'delivery_unknown')`
    )
    const { queued, unknown } = yield* read(OutgoingRepo.counts(adapterId))
    const [left] = yield* select<{ n: number }>(
      sql`SELECT COUNT(*) AS n FROM relay_outgoing WHERE next_at IS NULL OR next_at < ${clock.now() - 600_000}`
    )
    return [
      ...(open.length === queued + unknown
        ? []
        : [`${open.length} deliveries are open, and ${queued} + ${unknown} are counted`]),
      ...(left?.n === 0 ? [] : [`${left?.n} events wait for nothing`])
    ]
  })

const ownMessageOf = (model: ModelRelay, sends: ReadonlyArray<Sending>) =>
  Effect.gen(function* () {
    const { select } = yield* Storage
    const tied = yield* select<{ eventId: string; messageId: string; status: string }>(
      sql`SELECT event_id AS eventId, squad_message_id AS messageId, status FROM communication_deliveries
        WHERE direction = 'outbound' AND event_id IS NOT NULL`
    )
    const faults: Array<string> = []
    const own = new Map<string, string>()
    for (const { squadMessageId } of sends) {
      const mine = tied.filter(({ messageId }) => messageId === squadMessageId)
      for (const { eventId, status } of mine) {
        const there = model.held.has(eventId)
        if (there) own.set(eventId, squadMessageId)
        if (!["success", "failed"].includes(status)) faults.push(`${squadMessageId} is still ${status}`)
        if (status === "success" && !there) faults.push(`${squadMessageId} is said to be there, and is not`)
        if (status === "failed" && there)
          faults.push(`${squadMessageId} is said to have failed, and is there`)
      }
    }
    return { faults, own }
  })

/** Compares the squad chat with what the relay holds. */
const compare = (model: ModelRelay, sends: ReadonlyArray<Sending>) =>
  Effect.gen(function* () {
    const { faults, own } = yield* ownMessageOf(model, sends)
    const posted = new Map((yield* chat).map((message) => [message.id, message]))
    const localOf = (eventId: string) => own.get(eventId) ?? `msg_relay_${eventId}`
    const messages = [...model.held.values()].filter(({ event }) => event.kind === 9)
    const byId = new Map(messages.map((held) => [held.event.id, held]))
    for (const id of posted.keys()) {
      if (!id.startsWith("msg_relay_")) continue
      const eventId = id.slice("msg_relay_".length)
      if (own.has(eventId)) faults.push(`an echo of ${own.get(eventId)} is in the chat`)
      else if (!byId.has(eventId)) faults.push(`${id} is in the chat and not at the relay`)
    }
    const held = yield* waiting
    const describe = (event: NostrEvent): string => {
      const of = (id: string | undefined) =>
        id === undefined
          ? "none"
          : `${byId.get(id)?.hidden === true ? "deleted" : "there"} and ${posted.has(localOf(id)) ? "here" : "not here"}${held.has(id) ? ", waiting" : ""}`
      const parent = event.tags.find((tag) => tag[0] === "e" && tag[3] === "reply")?.[1]
      return `parent ${of(parent)}; root ${of(rootOf(event))}; waits since ${held.get(event.id) ?? "never"}`
    }
    for (const { event, hidden } of messages) {
      if (own.has(event.id)) continue
      const found = posted.get(localOf(event.id))
      const root = byId.get(rootOf(event))
      const excused = hidden || (root?.hidden === true && !posted.has(localOf(root.event.id)))
      if (found === undefined) {
        if (!excused) faults.push(`lost: ${event.id.slice(0, 8)} ${event.content}, ${describe(event)}`)
        continue
      }
      const parentTag = event.tags.find((tag) => tag[0] === "e" && tag[3] === "reply")?.[1]
      const expected =
        parentTag === undefined
          ? null
          : posted.has(localOf(parentTag))
            ? localOf(parentTag)
            : localOf(rootOf(event))
      // An answer to what was deleted for a while may stand below the root.
      const alternative =
        parentTag !== undefined && byId.get(parentTag)?.hidden === true ? localOf(rootOf(event)) : expected
      if (found.replyToId !== expected && found.replyToId !== alternative)
        faults.push(`${event.id.slice(0, 8)} answers ${found.replyToId} instead of ${expected}`)
    }
    return { faults, messages: messages.length }
  })

const setUp = Effect.gen(function* () {
  const adapters = yield* Adapters
  const channels = yield* Channels
  yield* adapters.put(
    adapterId,
    {
      kind: "relay",
      displayName: "Community",
      enabled: true,
      relayHttpUrl: "https://relay.example",
      publicKey: identities.bridge.publicKey,
      credentialRef: "env:RELAY_PRIVATE_KEY"
    },
    operator
  )
  yield* channels.put(
    adapterId,
    channel,
    { target: { kind: "squad" }, enabled: true, actor: "bridge" },
    operator
  )
})

const closures = [
  new RelayFailure({ reason: "relay_unavailable" }),
  new RelayFailure({ reason: "subscription_closed" }),
  new RelayFailure({ reason: "rate_limited", retryAfterMs: 7_000 }),
  new RelayFailure({ reason: "authentication_rejected" })
]

/** One life of a bridge beside a relay: bursts of talk and trouble, hours of silence, and peace at the end. */
export const storm = (seed: number, days: number) => {
  const chance = dice(seed)
  const clock = virtualClock(startMs)
  const knowsBeforeId = chance.percent(60)
  const model = new ModelRelay(
    {
      channel,
      knowsBeforeId,
      // A second that holds more than a page is for ever a gap at a relay that knows no other way into it.
      pageCap: chance.pick(knowsBeforeId ? [15, 40, 200, 1_000] : [200, 1_000]),
      answerLimit: chance.pick(knowsBeforeId ? [12, 60, 2_000] : [100, 2_000])
    },
    chance,
    clock.now
  )
  const author = new Author(chance, model, clock.now)
  const sends: Array<Sending> = []

  return Effect.gen(function* () {
    const store = yield* Storage
    const bridge = yield* makeProcess(model)
    yield* bridge.use(setUp)
    yield* clock.pass("20 minutes")

    const send = Effect.gen(function* () {
      const { id: squadMessageId } = yield* store.write(
        Effect.orDie(SquadPost.post({ agent: "ann", message: `from here ${sends.length}` }, operator))
      )
      const posted = yield* chat
      const answers = chance.percent(50) && posted.length > 1 ? chance.pick(posted).id : undefined
      sends.push({ squadMessageId })
      // Nobody waits for it: the storm goes on while it is under way.
      yield* Effect.forkScoped(
        bridge.use(
          Effect.flatMap(Communication, (all) =>
            all.send(
              adapterId,
              {
                target: { kind: "squad", squadMessageId },
                message: `from here ${sends.length}`,
                actor: "ann",
                ...(answers === undefined || answers === squadMessageId
                  ? {}
                  : { replyToSquadMessageId: answers })
              },
              operator
            )
          )
        )
      )
    })
    const poll = bridge.use(Effect.flatMap(Communication, (all) => all.poll(adapterId)))

    const trouble = Effect.gen(function* () {
      const { mood } = model
      const what = chance.below(24)
      if (what < 3) model.drop()
      else if (what < 5) model.close(chance.pick(closures))
      else if (what < 7) mood.deaf = !mood.deaf
      else if (what < 9) mood.lossy = chance.pick([0, 0, 20, 100])
      else if (what < 11) {
        mood.up = !mood.up
        if (!mood.up) model.drop()
      } else if (what < 12) mood.limitedUntil = clock.now() + chance.below(60_000)
      else if (what < 14) {
        mood.member = !mood.member
        if (!mood.member) model.close(new RelayFailure({ reason: "channel_membership_required" }))
      } else if (what < 15) mood.refusesAuth = !mood.refusesAuth
      else if (what < 17) mood.lagMs = chance.pick([0, 5_000, 60_000])
      else if (what < 18) mood.lies = chance.pick([0, 30])
      else if (what < 20) mood.broken = chance.pick([0, 0, 10, 40])
      else if (what < 21) yield* bridge.restart
      else if (what < 22) yield* Effect.forkScoped(poll)
      else calm()
    })

    const calm = () => {
      Object.assign(model.mood, {
        up: true,
        deaf: false,
        lossy: 0,
        limitedUntil: 0,
        member: true,
        refusesAuth: false,
        lagMs: 0,
        lies: 0,
        broken: 0
      })
    }

    const faults: Array<string> = []
    const end = startMs + days * 86_400_000
    while (clock.now() < end && faults.length === 0) {
      const steps = 5 + chance.below(40)
      for (let step = 0; step < steps; step++) {
        const many = chance.percent(3) ? chance.below(60) : chance.below(3)
        for (let one = 0; one < many; one++) author.write()
        if (chance.percent(8)) yield* send
        if (chance.percent(15)) yield* trouble
        yield* clock.pass(chance.percent(90) ? chance.below(15_000) : chance.below(90_000))
      }
      faults.push(...(yield* cursorFaults(model, clock)), ...(yield* deliveryFaults(clock)))
      // Hours go by: the machine sleeps, or its relay is alone with the others.
      for (let hours = chance.below(36); hours > 0; hours--) {
        for (let one = chance.below(3); one > 0; one--) author.write()
        yield* clock.leap(chance.below(3_600_000))
        if (chance.percent(10)) yield* trouble
      }
      yield* clock.pass(chance.below(120_000))
    }
    calm()
    yield* clock.pass("10 minutes")
    // What has waited for a parent that is gone is put below its root after a quarter of an hour.
    yield* clock.pass("45 minutes")
    // Nobody has to poll for a message to come to its end.
    const { queued, unknown } = yield* store.read(OutgoingRepo.counts(adapterId))
    if (queued + unknown > 0) faults.push(`${queued} deliveries are still queued, ${unknown} unknown`)
    const peace = Effect.repeatN(clock.pass("1 second"), 1_800)
    const settled = yield* Effect.raceFirst(
      Effect.map(poll, ({ reasonCode }) => reasonCode),
      Effect.as(peace, "nothing after half an hour")
    )
    if (settled !== null) faults.push(`the last poll ended with ${settled}`)
    faults.push(...(yield* cursorFaults(model, clock)))
    const compared = yield* compare(model, sends)
    const all = [...faults, ...compared.faults]
    if (all.length > 0) {
      const adapter = yield* bridge.use(Effect.flatMap(Adapters, ({ relay }) => relay(adapterId)))
      const state = yield* bridge.use(Effect.flatMap(Bridge, ({ runtime }) => runtime(adapter)))
      all.unshift(`at ${clock.now()}: ${JSON.stringify([yield* cursor, state])}`)
    }
    return {
      faults: all,
      messages: compared.messages,
      days,
      sockets: model.openSockets
    }
  }).pipe(
    Effect.scoped,
    Effect.provide(storageInMemory),
    clock.live,
    Effect.withRandom(Random.make(seed)),
    Logger.withMinimumLogLevel(LogLevel.Error)
  )
}
