import { randomUUID } from "node:crypto"
import { Cause, Deferred, Duration, Effect, Queue, Ref, type Scope } from "effect"
import { now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import type { Place } from "../inbox/Place.ts"
import { advance, asked, ingest, liveSource, type Source } from "../inbox/Units.ts"
import { findMapping } from "../mappings/Units.ts"
import { byPlace, channelKinds, type NostrEvent } from "../wire/NostrEvent.ts"
import { type Connection, type RelayClient, RelayFailure, type Session } from "../wire/RelayClient.ts"
import type { Verifier } from "../wire/Verifier.ts"
import { jittered, pauseAfter, stableAfter } from "./Backoff.ts"
import { type Caught, catchUp, hearing, readFrom } from "./History.ts"
import { countRejected, type State, setSubscription } from "./RuntimeState.ts"

/** How often a channel is read again, to prove that its subscription is not deaf. */
const proofEvery = Duration.seconds(60)

/** How many live events wait to be brought in; those that find no room are found again by a query. */
const liveLimit = 5_000

/** How many of them are brought in at once. */
const liveBatch = 64

/** How many of the events that came while the past was read are kept to move the cursor to. */
const aheadLimit = 64

/**
 * How many stored events a subscription asks for. The past is read by queries, which are reliable and come in order.
 */
const storedLimit = 100

/** How long a relay may take to say that it has sent what it had stored; some never say it. */
const settling = Duration.seconds(10)

/** A channel that is being listened to. */
export interface Listening {
  /** Subscribes; from here on the session's words must reach the functions below. */
  readonly begin: Effect.Effect<void>
  /** Takes an event of the current subscription; those of earlier ones are ignored. */
  readonly hear: (subscription: string, event: unknown) => Effect.Effect<void>
  /** The relay has sent what it had stored. */
  readonly settled: (subscription: string) => Effect.Effect<void>
  /** The relay ended the subscription: another one follows, the connection stays. */
  readonly closed: (subscription: string, failure: RelayFailure) => Effect.Effect<void>
  /** Some events were dropped: the past is read again to find them. */
  readonly missed: Effect.Effect<void>
}

type Means = Storage | RelayClient | Verifier

/**
 * Listens to a channel until the scope closes. When the relay sends nothing live of what it lets the bridge read,
 * `deaf` ends the connection: the next one may work. The live subscription is opened first, then the past is read, so
 * nothing falls in between; both may bring the same event, which is recognized by its id. Live events are brought in at
 * once; the cursor follows them only while the past is complete.
 */
export const listen = (
  session: Session,
  connection: Connection,
  place: Place,
  state: State,
  deaf: Deferred.Deferred<never, RelayFailure>
): Effect.Effect<Listening, never, Means | Scope.Scope> =>
  Effect.gen(function* () {
    const { mapping } = place
    const storage = yield* Storage
    const live = yield* Queue.dropping<unknown>(liveLimit)
    const stored = yield* Queue.dropping<unknown>(storedLimit)
    const reading = yield* Queue.sliding<void>(1)
    const current = yield* Ref.make({
      id: "",
      since: 0,
      accepted: false,
      ended: false,
      closures: 0,
      deafness: 0
    })
    const complete = yield* Ref.make(false)
    /** What came while the past was read: the cursor reaches it when nothing before it is missing. */
    const ahead = yield* Ref.make<ReadonlyArray<NostrEvent>>([])
    const turns = yield* Effect.makeSemaphore(1)
    const happening = liveSource()
    const closures = yield* Queue.sliding<RelayFailure>(1)
    const scope = yield* Effect.scope

    const subscribe = Effect.gen(function* () {
      const before = yield* Ref.get(current)
      if (before.id !== "") yield* session.unsubscribe(before.id)
      const found = yield* storage.read(findMapping(mapping.id))
      const from = found === undefined ? 0 : readFrom(found.cursor)
      // Never the same name twice: relays are known to ignore one that was closed (relay-wire 0.7).
      const id = `muster-${randomUUID()}`
      yield* Ref.set(current, {
        ...before,
        id,
        accepted: false,
        ended: false,
        since: Math.floor((yield* now) / 1_000)
      })
      yield* setSubscription(state, { state: "connecting", channelId: mapping.channelId, reason: "ok" })
      yield* session.subscribe(id, {
        kinds: channelKinds,
        "#h": [mapping.channelId],
        // Some relays send nothing new to a subscription that begins in the past (relay-wire 0.7).
        ...(before.deafness % 2 === 1 ? {} : { since: from }),
        limit: storedLimit
      })
      yield* Effect.forkIn(Effect.delay(ofCurrent(id, accept), settling), scope)
    })

    const ofCurrent = (subscription: string, then: Effect.Effect<unknown>) =>
      Effect.flatMap(Ref.get(current), ({ id }) => (id === subscription ? Effect.asVoid(then) : Effect.void))

    /** The relay lets the bridge hear the channel. What comes from here on is heard; what came before is read now. */
    const accept = Effect.flatMap(
      Ref.modify(current, (before) => [
        before.accepted || before.ended,
        { ...before, accepted: !before.ended }
      ]),
      (known) => (known ? Effect.void : Queue.offer(reading, undefined))
    )
    const sees = Effect.map(Ref.get(current), ({ accepted, id }) => (accepted ? id : undefined))

    const bring = (events: ReadonlyArray<unknown>, source: Source) =>
      Effect.gen(function* () {
        const found = yield* ingest(events, place, source)
        yield* countRejected(state, found.rejected)
        if (found.fresh.length > 0) yield* setSubscription(state, { lastEventAt: yield* now })
        if (yield* Ref.get(complete)) yield* advance(mapping.id, found.fresh)
        else
          yield* Ref.update(ahead, (before) => [...before, ...found.fresh].sort(byPlace).slice(-aheadLimit))
      })

    const bringIn = Effect.gen(function* () {
      const events = [...(yield* Queue.takeBetween(live, 1, liveBatch))]
      yield* turns.withPermits(1)(bring(events, happening))
    })

    /** Stored events come newest first, so they wait until the past was read in order: few of them are new by then. */
    const bringStored = Effect.gen(function* () {
      const events = [...(yield* Queue.takeAll(stored))]
      if (events.length > 0) yield* turns.withPermits(1)(bring(events, asked))
    })

    const readPast = (failures: number): Effect.Effect<void, never, Means> =>
      Effect.gen(function* () {
        yield* Ref.set(complete, false)
        yield* Ref.update(state, (before) => ({ ...before, catchingUp: true }))
        const caught = yield* catchUp(connection, place, state, sees, turns.withPermits(1))
        yield* Ref.set(complete, caught.complete)
        if (caught.complete) yield* advance(mapping.id, yield* Ref.getAndSet(ahead, []))
        yield* Ref.update(state, (before) => ({ ...before, catchingUp: false }))
        yield* bringStored
        if (yield* sees) yield* setSubscription(state, { reason: "ok" })
        yield* judgeHearing(caught)
      }).pipe(
        Effect.catchTag("RelayFailure", (failure) =>
          Effect.gen(function* () {
            yield* setSubscription(state, { reason: failure.reason })
            yield* bringStored
            yield* Effect.sleep(yield* jittered(pauseAfter(failures + 1, failure)))
            yield* readPast(failures + 1)
          })
        )
      )

    /** An event that a query found and the subscription should have brought shows that the subscription is dead. */
    const judgeHearing = ({ overdue = 0 }: Caught) =>
      Effect.gen(function* () {
        const at = Math.floor((yield* now) / 1_000)
        const { accepted, deafness, since } = yield* Ref.get(current)
        // One that the relay has closed brings nothing, and is opened again when its pause is over.
        if (!accepted) return
        if (overdue <= since + hearing) {
          if (at - since > 2 * Duration.toSeconds(proofEvery))
            yield* Ref.update(current, (now) => ({ ...now, deafness: 0 }))
          return
        }
        yield* Effect.logWarning(`The subscription to channel ${mapping.channelId} was deaf: it is made anew`)
        yield* Ref.update(current, (now) => ({ ...now, deafness: now.deafness + 1 }))
        if (deafness >= 2) yield* Deferred.fail(deaf, new RelayFailure({ reason: "socket_lost" }))
        else yield* subscribe
      })

    const reopen = Effect.gen(function* () {
      const failure = yield* Queue.take(closures)
      yield* setSubscription(state, { state: "inactive", reason: failure.reason })
      yield* Effect.sleep(yield* jittered(pauseAfter((yield* Ref.get(current)).closures, failure)))
      yield* subscribe
    })

    const take = (event: unknown) =>
      Effect.flatMap(Queue.offer(live, event), (kept) =>
        kept ? Effect.void : Queue.offer(reading, undefined)
      )

    const end = (failure: RelayFailure) =>
      Effect.gen(function* () {
        const at = yield* now
        yield* Ref.update(current, (before) => ({
          ...before,
          accepted: false,
          ended: true,
          closures: before.accepted && at - before.since * 1_000 >= stableAfter ? 1 : before.closures + 1
        }))
        yield* Queue.offer(closures, failure)
      })

    /** Does something for as long as the channel is listened to. What breaks it ends the connection. */
    const always = <R>(work: Effect.Effect<unknown, never, R>) =>
      Effect.forkScoped(
        Effect.catchAllCause(Effect.forever(work), (cause) =>
          Cause.isInterruptedOnly(cause) ? Effect.void : Deferred.failCause(deaf, cause)
        )
      )
    yield* always(bringIn)
    yield* always(Effect.zipRight(Effect.timeoutOption(Queue.take(reading), proofEvery), readPast(0)))
    yield* always(reopen)
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        const { id } = yield* Ref.get(current)
        yield* session.unsubscribe(id)
        yield* setSubscription(state, { state: "inactive", channelId: null, reason: "no_mapping" })
      })
    )

    return {
      begin: subscribe,
      hear: (subscription, event) =>
        ofCurrent(
          subscription,
          Effect.flatMap(sees, (seen) => (seen === undefined ? Queue.offer(stored, event) : take(event)))
        ),
      settled: (subscription) =>
        ofCurrent(
          subscription,
          Effect.zipRight(accept, setSubscription(state, { state: "active", reason: "ok" }))
        ),
      closed: (subscription, failure) => ofCurrent(subscription, end(failure)),
      missed: Effect.asVoid(Queue.offer(reading, undefined))
    }
  })
