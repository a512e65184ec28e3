import { randomUUID } from "node:crypto"
import { Deferred, Duration, Effect, Queue, Ref, type Scope } from "effect"
import { now } from "../../../kernel/Time.ts"
import { Storage } from "../../../storage/Storage.ts"
import * as MappingRepo from "../channels/MappingRepo.ts"
import { type Connection, type RelayClient, RelayFailure, type Session } from "../client/RelayClient.ts"
import { advance, asked, ingest, liveSource, type Source } from "../inbound/Ingest.ts"
import type { Place } from "../inbound/Unit.ts"
import { channelKinds, type NostrEvent } from "../nostr/Event.ts"
import type { Verifier } from "../nostr/Verifier.ts"
import { jittered, pauseAfter } from "./Backoff.ts"
import { catchUp, readFrom } from "./History.ts"
import { countRejected, type State, setSubscription } from "./RuntimeState.ts"

/** How often a channel is read again, to prove that its subscription is not deaf. */
const proofEvery = Duration.seconds(60)

/** What a live subscription must have brought by itself, in seconds after it happened. */
const hearing = 10

/** How many live events wait to be brought in; those that find no room are found again by a query. */
const liveLimit = 5_000

/** How many of them are brought in at once. */
const liveBatch = 64

/** The stored events that a subscription asks for. What is older comes by queries, which can be relied upon. */
const storedLimit = 500

/** A channel that is being listened to. */
export interface Listening {
  /** Subscribes; from here on the session's words must reach the functions below. */
  readonly begin: Effect.Effect<void>
  /** Takes an event of a subscription; others than the current one are over. */
  readonly hear: (subscription: string, event: unknown) => Effect.Effect<void>
  /** The relay has sent what it had stored. */
  readonly settled: (subscription: string) => Effect.Effect<void>
  /** The relay ended the subscription: another one follows, the connection stays. */
  readonly closed: (subscription: string, failure: RelayFailure) => Effect.Effect<void>
  /** Something was let go: look what it was. */
  readonly missed: Effect.Effect<void>
}

type Means = Storage | RelayClient | Verifier

/** An event that was heard: as it happened, or because the subscription asked for what was stored. */
interface Waiting {
  readonly event: unknown
  readonly source: Source
}

/**
 * Listens to a channel until the scope closes. When the relay does not let the bridge hear what it lets it read, `deaf`
 * ends the connection: the next one is another chance. The live subscription stands first, then the past is read, so nothing
 * falls in between; both may bring the same event, which is known by its id. Live events are brought in at once; the
 * cursor follows them only while the past is complete.
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
    const live = yield* Queue.dropping<Waiting>(liveLimit)
    const reading = yield* Queue.sliding<void>(1)
    const current = yield* Ref.make({ id: "", since: 0, settled: false, closures: 0, deafness: 0 })
    const complete = yield* Ref.make(false)
    const turns = yield* Effect.makeSemaphore(1)
    const happening = liveSource()
    const closures = yield* Queue.sliding<RelayFailure>(1)

    const subscribe = Effect.gen(function* () {
      const before = yield* Ref.get(current)
      if (before.id !== "") yield* session.unsubscribe(before.id)
      const stored = yield* storage.read(MappingRepo.find(mapping.id))
      const from = stored === undefined ? 0 : readFrom(stored.cursor)
      // Never the same name twice: relays are known to ignore one that was closed (relay-wire 0.7).
      const id = `muster-${randomUUID()}`
      yield* Ref.set(current, { ...before, id, since: Math.floor((yield* now) / 1_000), settled: false })
      yield* setSubscription(state, { state: "connecting", channelId: mapping.channelId, reason: "ok" })
      yield* session.subscribe(id, {
        kinds: channelKinds,
        "#h": [mapping.channelId],
        // Some relays send nothing new to a subscription that begins in the past (relay-wire 0.7).
        ...(before.deafness % 2 === 1 ? {} : { since: from }),
        limit: storedLimit
      })
      yield* Queue.offer(reading, undefined)
    })

    const bringIn = Effect.gen(function* () {
      const waiting = [...(yield* Queue.takeBetween(live, 1, liveBatch))]
      yield* turns.withPermits(1)(
        Effect.forEach(
          [asked, happening],
          (source) =>
            Effect.gen(function* () {
              const events = waiting.filter((one) => one.source === source).map(({ event }) => event)
              if (events.length === 0) return
              const found = yield* ingest(events, place, source)
              yield* countRejected(state, found.rejected)
              if (found.fresh.length > 0) yield* setSubscription(state, { lastEventAt: yield* now })
              if (yield* Ref.get(complete)) yield* advance(mapping.id, found.fresh)
            }),
          { discard: true }
        )
      )
    })

    const readPast = (failures: number): Effect.Effect<void, never, Means> =>
      Effect.gen(function* () {
        yield* Ref.set(complete, false)
        yield* Ref.update(state, (before) => ({ ...before, catchingUp: true }))
        const fresh = yield* turns.withPermits(1)(catchUp(connection, place, state))
        yield* Ref.set(complete, true)
        yield* Ref.update(state, (before) => ({ ...before, catchingUp: false }))
        yield* judgeHearing(fresh)
      }).pipe(
        Effect.catchTag("RelayFailure", (failure) =>
          Effect.gen(function* () {
            yield* setSubscription(state, { reason: failure.reason })
            yield* Effect.sleep(yield* jittered(pauseAfter(failures + 1, failure)))
            yield* readPast(failures + 1)
          })
        )
      )

    /** What a query found that the subscription should have brought is a sign that nothing comes any more. */
    const judgeHearing = (fresh: ReadonlyArray<NostrEvent>) =>
      Effect.gen(function* () {
        const at = Math.floor((yield* now) / 1_000)
        const { deafness, since } = yield* Ref.get(current)
        const unheard = fresh.some(
          ({ created_at: created }) => created > since + hearing && created < at - hearing
        )
        if (!unheard) {
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
      const { closures: count } = yield* Ref.updateAndGet(current, (before) => ({
        ...before,
        closures: before.closures + 1
      }))
      yield* setSubscription(state, { state: "inactive", reason: failure.reason })
      yield* Effect.sleep(yield* jittered(pauseAfter(count, failure)))
      yield* subscribe
    })

    yield* Effect.forkScoped(Effect.forever(bringIn))
    yield* Effect.forkScoped(
      Effect.forever(Effect.zipRight(Effect.timeoutOption(Queue.take(reading), proofEvery), readPast(0)))
    )
    yield* Effect.forkScoped(Effect.forever(reopen))
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        const { id } = yield* Ref.get(current)
        yield* session.unsubscribe(id)
        yield* setSubscription(state, { state: "inactive", channelId: null, reason: "no_mapping" })
      })
    )

    const ofCurrent = (subscription: string, then: Effect.Effect<unknown>) =>
      Effect.flatMap(Ref.get(current), ({ id }) => (id === subscription ? Effect.asVoid(then) : Effect.void))

    return {
      begin: subscribe,
      hear: (subscription, event) =>
        ofCurrent(
          subscription,
          Effect.flatMap(Ref.get(current), ({ settled }) =>
            Effect.flatMap(Queue.offer(live, { event, source: settled ? happening : asked }), (kept) =>
              kept ? Effect.void : Queue.offer(reading, undefined)
            )
          )
        ),
      settled: (subscription) =>
        ofCurrent(
          subscription,
          Effect.zipRight(
            Ref.update(current, (before) => ({ ...before, settled: true })),
            setSubscription(state, { state: "active", reason: "ok" })
          )
        ),
      closed: (subscription, failure) => ofCurrent(subscription, Queue.offer(closures, failure)),
      missed: Effect.asVoid(Queue.offer(reading, undefined))
    }
  })
