import { Context, Effect, Either, FiberMap, Layer, Queue, Ref } from "effect"
import { Secrets } from "../../kernel/Secrets.ts"
import { now } from "../../kernel/Time.ts"
import { Workers } from "../../kernel/Worker.ts"
import { Storage } from "../../storage/Storage.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import { allAdapters, findAdapter } from "../adapters/Units.ts"
import { Compatibility } from "../compatibility/Compatibility.ts"
import { configurationOf } from "../compatibility/Evidence.ts"
import { connectionOf } from "../relay-access/Connection.ts"
import { type RelayClient, RelayFailure } from "../wire/RelayClient.ts"
import type { Verifier } from "../wire/Verifier.ts"
import { jittered, pauseAfter, stableAfter } from "./Backoff.ts"
import { connect } from "./Connection.ts"
import { idle, type RuntimeState, type State, setTransport } from "./RuntimeState.ts"

/** A bridge that runs: what it was started with, what it does, and how it hears of changes. */
interface Running {
  readonly configuration: string
  readonly state: State
  readonly remaps: Queue.Queue<void>
}

/** The bridges to relays: one supervised connection for each adapter that is switched on. */
export interface BridgeService {
  /** What the bridge of an adapter does now. */
  readonly runtime: (adapter: RelayAdapter) => Effect.Effect<RuntimeState>
  /** Follows a change of an adapter: of its configuration, of its mapping, or of what is known of its relay. */
  readonly changed: (adapterId: string) => Effect.Effect<void>
}

export class Bridge extends Context.Tag("muster/Bridge")<Bridge, BridgeService>() {
  static readonly layer = Layer.scoped(
    Bridge,
    Effect.gen(function* () {
      const storage = yield* Storage
      const workers = yield* Workers
      const fibers = yield* FiberMap.make<string>()
      const run = yield* FiberMap.runtime(fibers)<
        Storage | RelayClient | Secrets | Compatibility | Verifier
      >()
      const running = yield* Ref.make<ReadonlyMap<string, Running>>(new Map())
      const turns = yield* Effect.makeSemaphore(1)

      const stop = (adapterId: string) =>
        Effect.gen(function* () {
          yield* FiberMap.remove(fibers, adapterId)
          yield* workers.forget(`relay-bridge:${adapterId}`)
          yield* Ref.update(running, (before) => new Map([...before].filter(([id]) => id !== adapterId)))
        })

      const start = (adapter: RelayAdapter) =>
        Effect.gen(function* () {
          const state = yield* Ref.make(idle("not_probed"))
          const remaps = yield* Queue.sliding<void>(1)
          const one: Running = { configuration: configurationOf(adapter), state, remaps }
          yield* Ref.update(running, (before) => new Map(before).set(adapter.id, one))
          const startedAt = yield* now
          const beat = (failures: number) =>
            Effect.flatMap(now, (lastBeatAt) =>
              workers.report({ worker: `relay-bridge:${adapter.id}`, startedAt, lastBeatAt, failures })
            )
          yield* Effect.sync(() => run(adapter.id, supervise(adapter, state, remaps, beat)))
        })

      const follow = (adapterId: string) =>
        turns
          .withPermits(1)(
            Effect.gen(function* () {
              const adapter = yield* storage.read(findAdapter(adapterId))
              const before = (yield* Ref.get(running)).get(adapterId)
              if (adapter?.kind !== "relay" || !adapter.enabled)
                return before === undefined ? undefined : yield* stop(adapterId)
              if (before === undefined) return yield* start(adapter)
              if (before.configuration === configurationOf(adapter))
                return yield* Queue.offer(before.remaps, undefined)
              yield* stop(adapterId)
              yield* start(adapter)
            })
          )
          .pipe(Effect.asVoid)

      const adapters = yield* storage.read(allAdapters)
      yield* Effect.forEach(adapters, ({ id }) => follow(id), { discard: true })

      return Bridge.of({
        runtime: (adapter) =>
          Effect.flatMap(Ref.get(running), (all) => {
            const one = all.get(adapter.id)
            return one === undefined
              ? Effect.succeed(idle(adapter.enabled ? "not_probed" : "adapter_disabled"))
              : Ref.get(one.state)
          }),
        changed: follow
      })
    })
  )
}

/**
 * Keeps an adapter connected until its configuration changes: it checks that the relay is the one that was tested,
 * connects, and begins again when the connection is lost, after a pause that grows with the failures in a row.
 */
const supervise = (
  adapter: RelayAdapter,
  state: State,
  remaps: Queue.Queue<void>,
  beat: (failures: number) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const failures = yield* Ref.make(0)
    const once = Effect.gen(function* () {
      yield* beat(yield* Ref.get(failures))
      const connectedAt = yield* Ref.make<number | undefined>(undefined)
      const failure = yield* Effect.flip(attempt(adapter, state, remaps, connectedAt)).pipe(
        Effect.catchAllCause((cause) =>
          Effect.as(
            Effect.logError(`The bridge to ${adapter.id} failed`, cause),
            new RelayFailure({ reason: "relay_error" })
          )
        )
      )
      const endedAt = yield* now
      const stoodSince = (yield* Ref.get(connectedAt)) ?? endedAt
      const count = yield* Ref.updateAndGet(failures, (before) =>
        endedAt - stoodSince >= stableAfter ? 1 : before + 1
      )
      const pause = yield* jittered(pauseAfter(count, failure))
      const { transport } = yield* Ref.get(state)
      yield* setTransport(state, {
        state: "disconnected",
        reason: failure.reason,
        reconnects: transport.reconnects + 1,
        nextAttemptAt: endedAt + pause,
        ...(failure.skewSeconds === undefined ? {} : { skewSeconds: failure.skewSeconds })
      })
      yield* Effect.logDebug(`The bridge to ${adapter.id} waits for ${pause} ms: ${failure.reason}`)
      // A change, such as a probe that went well, is worth another attempt at once, unless the relay asked for a pause.
      yield* failure.retryAfterMs === undefined
        ? Effect.timeoutOption(Queue.take(remaps), pause)
        : Effect.sleep(pause)
    })
    return yield* Effect.forever(once)
  })

/** One attempt: a probe of the relay, then a connection until it is lost. */
const attempt = (
  adapter: RelayAdapter,
  state: State,
  remaps: Queue.Dequeue<void>,
  connectedAt: Ref.Ref<number | undefined>
) =>
  Effect.gen(function* () {
    const compatibility = yield* Compatibility
    const evidence = yield* compatibility.recheck(adapter)
    if (evidence.skewSeconds !== null) yield* setTransport(state, { skewSeconds: evidence.skewSeconds })
    if (evidence.status !== "healthy") return yield* new RelayFailure({ reason: evidence.reason })
    const connection = yield* Effect.either(connectionOf(yield* Secrets, adapter))
    if (Either.isLeft(connection)) return yield* connection.left
    return yield* Effect.scoped(connect(adapter, connection.right, state, remaps, connectedAt))
  })
