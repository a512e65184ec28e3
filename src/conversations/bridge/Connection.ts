import { Deferred, Effect, ExecutionStrategy, Exit, Queue, Ref, Scope } from "effect"
import { now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import { Compatibility } from "../compatibility/Compatibility.ts"
import { isPassing } from "../compatibility/Evidence.ts"
import { enabledMapping } from "../mappings/Units.ts"
import { communityOf } from "../relay-access/Endpoints.ts"
import { type Connection, RelayClient, RelayFailure, type Session } from "../wire/RelayClient.ts"
import type { Verifier } from "../wire/Verifier.ts"
import { type Listening, listen } from "./Channel.ts"
import { type State, setSubscription, setTransport } from "./RuntimeState.ts"

type Means = Storage | RelayClient | Compatibility | Verifier

/** A channel that is listened to, and the scope that it lives in. */
interface Open {
  readonly mappingId: string
  readonly listening: Listening
  readonly scope: Scope.CloseableScope
}

/**
 * One connection to a relay, from its handshake to its end. It listens to the channel that is mapped; when the mapping
 * changes, the subscription changes and the connection stays; when the relay turns out to be one that was not tested,
 * the connection ends. It ends only by failing; `connectedAt` holds when it was established.
 */
export const connect = (
  adapter: RelayAdapter,
  connection: Connection,
  state: State,
  remaps: Queue.Dequeue<void>,
  connectedAt: Ref.Ref<number | undefined>
): Effect.Effect<never, RelayFailure, Means | Scope.Scope> =>
  Effect.gen(function* () {
    const client = yield* RelayClient
    yield* setTransport(state, { state: "connecting", nextAttemptAt: null })
    const session = yield* client.open(connection)
    const at = yield* now
    yield* Ref.set(connectedAt, at)
    yield* setTransport(state, { state: "authenticated", reason: "ok", connectedAt: at })
    const open = yield* Ref.make<Open | undefined>(undefined)
    const deaf = yield* Deferred.make<never, RelayFailure>()
    const outer = yield* Effect.scope
    const place = { community: communityOf(connection.http), ownKey: connection.identity.publicKey }

    const follow: Effect.Effect<void, never, Means> = Effect.gen(function* () {
      const storage = yield* Storage
      const mapping = yield* storage.read(enabledMapping(adapter.id))
      const before = yield* Ref.get(open)
      if (before?.mappingId === mapping?.id) return
      if (before !== undefined) yield* Scope.close(before.scope, Exit.void)
      yield* Ref.set(open, undefined)
      if (mapping === undefined) return
      const scope = yield* Scope.fork(outer, ExecutionStrategy.sequential)
      const listening = yield* Scope.extend(
        listen(session, connection, { ...place, mapping }, state, deaf),
        scope
      )
      yield* Ref.set(open, { mappingId: mapping.id, listening, scope })
      yield* listening.begin
    })

    const woken = Effect.zipRight(Queue.take(remaps), stillTested(adapter))
    const following = Effect.forever(Effect.zipRight(follow, woken))
    const hearing = Effect.forever(hearNext(session, open))
    return yield* Effect.raceFirst(hearing, Effect.raceFirst(following, Deferred.await(deaf)))
  }).pipe(
    Effect.ensuring(
      Effect.zipRight(
        setTransport(state, { state: "disconnected", connectedAt: null }),
        setSubscription(state, { state: "inactive" })
      )
    )
  )

/**
 * Fails once a probe has found a relay that was not tested: the bridge does not connect to such a one (spec 2-relay,
 * Errors). A passing fault says nothing about which relay it is.
 */
const stillTested = (adapter: RelayAdapter): Effect.Effect<void, RelayFailure, Compatibility> =>
  Effect.gen(function* () {
    const evidence = yield* (yield* Compatibility).evidence(adapter)
    if (evidence === undefined || evidence.status === "healthy" || isPassing(evidence.reason)) return
    return yield* new RelayFailure({ reason: evidence.reason })
  })

const hearNext = (session: Session, open: Ref.Ref<Open | undefined>) =>
  Effect.gen(function* () {
    const heard = yield* session.next
    const listening = (yield* Ref.get(open))?.listening
    if (heard._tag === "Closed" && heard.failure.reason === "authentication_rejected")
      return yield* heard.failure
    if (listening === undefined) return
    switch (heard._tag) {
      case "Event":
        return yield* listening.hear(heard.subscription, heard.event)
      case "EndOfStored":
        return yield* listening.settled(heard.subscription)
      case "Closed":
        return yield* listening.closed(heard.subscription, heard.failure)
      case "Overflowed":
        return yield* listening.missed
    }
  })
