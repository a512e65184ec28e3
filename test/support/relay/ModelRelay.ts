import { Deferred, Effect, Layer, Queue } from "effect"
import type { Filter, NostrEvent } from "../../../src/conversations/wire/NostrEvent.ts"
import {
  type Heard,
  RelayClient,
  RelayFailure,
  type Session,
  type Submission
} from "../../../src/conversations/wire/RelayClient.ts"
import { Verifier } from "../../../src/conversations/wire/Verifier.ts"
import type { Dice } from "./Dice.ts"
import { parentOf, tagValue } from "./Tags.ts"

/** An event as the relay holds it. */
export interface Held {
  readonly event: NostrEvent
  /** When it came in, in milliseconds. */
  readonly at: number
  /** Deleted: it is still known, and shown to nobody. */
  hidden: boolean
}

/** What is wrong with the relay now. */
export interface Mood {
  up: boolean
  /** Live events are swallowed. */
  deaf: boolean
  /** So many live events out of a hundred get lost on their way. */
  lossy: number
  /** Requests until then are refused, in milliseconds. */
  limitedUntil: number
  /** The bridge may read the channel. */
  member: boolean
  refusesAuth: boolean
  /** How far the replica behind `/query` lags at the most, in milliseconds. */
  lagMs: number
  /** So many answers to `/query` out of a hundred hold what nobody asked for. */
  lies: number
  /** So many requests out of a hundred break. */
  broken: number
}

/** How the relay is built. */
export interface ModelOptions {
  readonly channel: string
  readonly pageCap: number
  readonly knowsBeforeId: boolean
  /** An answer with more events than that is more than a bridge reads. */
  readonly answerLimit: number
}

interface Open {
  readonly heard: Queue.Queue<Heard>
  readonly ended: Deferred.Deferred<never, RelayFailure>
  readonly subscriptions: Map<string, Filter>
}

/** A signature that the verifier of the model does not believe. */
export const forgedSignature = "f".repeat(128)

/** Believes what the model signed. Real signatures are checked elsewhere; a storm has too many of them. */
export const modelVerifier = Layer.succeed(Verifier, {
  verify: (events) => Effect.succeed(events.map(({ sig }) => sig !== forgedSignature))
})

const newestFirst = (a: Held, b: Held) =>
  b.event.created_at - a.event.created_at || (a.event.id < b.event.id ? -1 : 1)

/**
 * A relay in memory that lives by the rules of its family (relay-wire): stored events newest first and only so many,
 * events up to a quarter of an hour off, live delivery that may lose or hold back, a lagging replica behind `/query`,
 * and sockets that break. It keeps the truth that a bridge is measured by.
 */
export class ModelRelay {
  readonly held = new Map<string, Held>()
  readonly mood: Mood = {
    up: true,
    deaf: false,
    lossy: 0,
    limitedUntil: 0,
    member: true,
    refusesAuth: false,
    lagMs: 0,
    lies: 0,
    broken: 0
  }
  readonly options: ModelOptions
  private readonly sessions = new Set<Open>()
  private heldBack: Array<NostrEvent> = []
  private readonly dice: Dice
  private readonly now: () => number

  constructor(options: ModelOptions, dice: Dice, now: () => number) {
    this.options = options
    this.dice = dice
    this.now = now
  }

  /** How many sockets stand. */
  get openSockets(): number {
    return this.sessions.size
  }

  /** What can be seen in the channel. */
  visible(): ReadonlyArray<Held> {
    return [...this.held.values()].filter(({ hidden }) => !hidden)
  }

  /** Takes an event in and tells it to those who listen; false when it has it already. */
  publish(event: NostrEvent): boolean {
    if (this.held.has(event.id)) return false
    this.held.set(event.id, { event, at: this.now(), hidden: false })
    if (event.kind === 5 || event.kind === 9005) this.hide(tagValue(event, "e") ?? "")
    this.tell(event)
    return true
  }

  /** Sends live subscribers whatever it is given. */
  say(event: unknown): void {
    for (const session of this.sessions)
      for (const subscription of session.subscriptions.keys())
        session.heard.unsafeOffer({ _tag: "Event", subscription, event })
  }

  /** Ends all subscriptions. */
  close(failure: RelayFailure): void {
    for (const session of this.sessions) {
      for (const subscription of session.subscriptions.keys())
        session.heard.unsafeOffer({ _tag: "Closed", subscription, failure })
      session.subscriptions.clear()
    }
  }

  /** Cuts all sockets. */
  drop(): void {
    for (const session of this.sessions)
      Deferred.unsafeDone(session.ended, new RelayFailure({ reason: "socket_lost" }))
    this.sessions.clear()
  }

  private hide(id: string): void {
    const target = this.held.get(id)
    if (target !== undefined && target.event.kind === 9) target.hidden = true
  }

  private tell(event: NostrEvent): void {
    if (this.dice.percent(10)) {
      this.heldBack.push(event)
      return
    }
    // What was held back comes after what came later.
    const all = [event, ...this.heldBack]
    this.heldBack = []
    for (const one of all) {
      if (this.mood.deaf || this.dice.percent(this.mood.lossy)) continue
      for (const session of this.sessions)
        for (const [subscription, { since = 0 }] of session.subscriptions)
          if (one.created_at >= since) session.heard.unsafeOffer({ _tag: "Event", subscription, event: one })
    }
  }

  private search({
    before_id: key,
    ids,
    kinds,
    limit,
    since = 0,
    until = Number.MAX_SAFE_INTEGER,
    ...filter
  }: Filter) {
    const { channel, knowsBeforeId, pageCap } = this.options
    if (filter["#h"] !== undefined && (filter["#h"][0] !== channel || !this.mood.member)) return []
    const lag = this.mood.lagMs === 0 ? 0 : this.dice.below(this.mood.lagMs)
    return this.visible()
      .filter(({ at, event }) => {
        const { created_at: created, id, kind } = event
        return (
          kinds.includes(kind) &&
          ids?.includes(id) !== false &&
          at <= this.now() - lag &&
          created >= since &&
          (key === undefined || !knowsBeforeId
            ? created <= until
            : created < until || (created === until && id > key))
        )
      })
      .sort(newestFirst)
      .slice(0, Math.min(limit ?? pageCap, pageCap))
      .map(({ event }) => event)
  }

  private readonly fault = Effect.suspend(() => {
    const { broken, limitedUntil, up } = this.mood
    if (!up) return new RelayFailure({ reason: "relay_unreachable" })
    if (this.now() < limitedUntil)
      return new RelayFailure({
        reason: "rate_limited",
        status: 429,
        retryAfterMs: limitedUntil - this.now()
      })
    return this.dice.percent(broken)
      ? new RelayFailure({
          reason: this.dice.pick(["relay_timeout", "relay_unavailable", "query_response_invalid"])
        })
      : Effect.void
  })

  /** Requests take their time, in which anything may happen. */
  private readonly travel = Effect.suspend(() =>
    this.dice.percent(30) ? Effect.sleep(this.dice.below(3_000)) : Effect.void
  )

  private lie(): unknown {
    const { dice } = this
    const genuine = {
      id: dice.hex(64),
      pubkey: dice.hex(64),
      created_at: Math.floor(this.now() / 1_000) - dice.below(2_000),
      kind: 9,
      tags: [["h", this.options.channel]],
      content: "a lie",
      sig: forgedSignature
    }
    return dice.pick<unknown>([
      genuine,
      { ...genuine, id: genuine.id.toUpperCase() },
      { ...genuine, kind: "9" },
      { ...genuine, tags: [["h", "another"]], sig: dice.hex(127) },
      null,
      "an event",
      []
    ])
  }

  private readonly query = (filter: Filter) =>
    Effect.gen(this, function* () {
      yield* this.travel
      yield* this.fault
      const found = this.search(filter)
      if (found.length > this.options.answerLimit)
        return yield* new RelayFailure({ reason: "response_too_large" })
      const answer: Array<unknown> = [...found]
      if (this.dice.percent(this.mood.lies)) answer.push(this.lie(), this.lie())
      return answer
    })

  private readonly submit = (event: NostrEvent) =>
    Effect.gen(this, function* () {
      yield* this.travel
      const cut = this.dice.percent(this.mood.broken)
      if (cut && this.dice.percent(50)) return { _tag: "Unknown", reason: "relay_unreachable" } as const
      const fault = yield* Effect.either(this.fault)
      if (fault._tag === "Left")
        return fault.left.reason === "rate_limited"
          ? ({
              _tag: "Postponed",
              reason: "rate_limited",
              retryAfterMs: fault.left.retryAfterMs ?? 0
            } as const)
          : ({ _tag: "Unknown", reason: fault.left.reason } as const)
      const submission = this.take(event)
      yield* this.travel
      return cut || !this.mood.up ? ({ _tag: "Unknown", reason: "relay_timeout" } as const) : submission
    })

  private take(event: NostrEvent): Submission {
    if (this.held.has(event.id)) return { _tag: "Accepted", duplicate: true }
    if (Math.abs(event.created_at - this.now() / 1_000) > 900)
      return { _tag: "Refused", reason: "event_too_old" }
    const parent = parentOf(event)
    if (!this.mood.member || (parent !== undefined && this.held.get(parent)?.hidden !== false))
      return { _tag: "Refused", reason: "event_refused" }
    this.publish(event)
    return { _tag: "Accepted", duplicate: false }
  }

  private readonly open = Effect.gen(this, function* () {
    yield* this.travel
    yield* this.fault
    if (this.mood.refusesAuth) return yield* new RelayFailure({ reason: "authentication_rejected" })
    const session: Open = {
      heard: yield* Queue.unbounded<Heard>(),
      ended: yield* Deferred.make<never, RelayFailure>(),
      subscriptions: new Map()
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => this.sessions.add(session)),
      () => Effect.sync(() => this.sessions.delete(session))
    )
    const result: Session = {
      next: Effect.raceFirst(Queue.take(session.heard), Deferred.await(session.ended)),
      subscribe: (subscription, filter) => Effect.sync(() => this.subscribe(session, subscription, filter)),
      unsubscribe: (subscription) => Effect.sync(() => session.subscriptions.delete(subscription))
    }
    return result
  })

  private subscribe(session: Open, subscription: string, filter: Filter): void {
    if (!this.sessions.has(session)) return
    const wait = this.mood.limitedUntil - this.now()
    const failure = !this.mood.member
      ? new RelayFailure({ reason: "channel_membership_required" })
      : wait > 0
        ? new RelayFailure({ reason: "rate_limited", retryAfterMs: wait })
        : undefined
    if (failure !== undefined) {
      session.heard.unsafeOffer({ _tag: "Closed", subscription, failure })
      return
    }
    session.subscriptions.set(subscription, filter)
    for (const event of this.search(filter)) session.heard.unsafeOffer({ _tag: "Event", subscription, event })
    session.heard.unsafeOffer({ _tag: "EndOfStored", subscription })
  }

  /** The way to it. */
  readonly client = RelayClient.of({
    info: () =>
      Effect.as(Effect.zipRight(this.travel, this.fault), {
        name: "A model",
        software: undefined,
        version: "0.2.1",
        commit: undefined,
        community: undefined,
        nips: [1, 11, 29, 42],
        self: undefined,
        authRequired: true,
        skewSeconds: 0
      }),
    query: (_, filter) => this.query(filter),
    submit: (_, event) => this.submit(event),
    open: () => this.open
  })
}
