import { Context, Duration, Effect, Layer, Random, Ref, type Scope } from "effect"
import { now } from "./Time.ts"

/**
 * When a worker started and last ended a round, in milliseconds since the epoch, and how many rounds failed in a row.
 */
export interface Heartbeat {
  readonly worker: string
  readonly startedAt: number
  readonly lastBeatAt: number
  readonly failures: number
}

/** The heartbeats of the workers of this process: the health report shows them. */
export interface WorkersService {
  readonly heartbeats: Effect.Effect<ReadonlyArray<Heartbeat>>
  readonly report: (heartbeat: Heartbeat) => Effect.Effect<void>
  readonly forget: (worker: string) => Effect.Effect<void>
}

export class Workers extends Context.Tag("muster/Workers")<Workers, WorkersService>() {
  static readonly layer = Layer.effect(
    Workers,
    Effect.map(Ref.make<ReadonlyMap<string, Heartbeat>>(new Map()), (known) =>
      Workers.of({
        heartbeats: Effect.map(Ref.get(known), (all) => [...all.values()]),
        report: (heartbeat) => Ref.update(known, (all) => new Map(all).set(heartbeat.worker, heartbeat)),
        forget: (worker) => Ref.update(known, (all) => new Map([...all].filter(([name]) => name !== worker)))
      })
    )
  )
}

const shortestPause = Duration.millis(250)
const longestPause = Duration.seconds(30)

/**
 * How long a worker rests after so many failures in a row: a quarter of a second, doubled each time, up to half a
 * minute.
 */
export const pauseAfter = (failures: number): Duration.Duration =>
  Duration.min(Duration.times(shortestPause, 2 ** Math.min(failures - 1, 10)), longestPause)

/**
 * Starts a worker for the life of the scope: `round` again and again. A round waits for its own reason to begin (a
 * commit, a clock); one that fails is logged and tried again after a pause, so that nothing ends the worker but its
 * scope.
 */
export const start = <E, R>(
  worker: string,
  round: Effect.Effect<void, E, R>
): Effect.Effect<void, never, R | Workers | Scope.Scope> =>
  Effect.gen(function* () {
    const workers = yield* Workers
    const startedAt = yield* now
    const report = (failures: number) =>
      Effect.flatMap(now, (lastBeatAt) => workers.report({ worker, startedAt, lastBeatAt, failures }))
    const failures = yield* Ref.make(0)
    const once = Effect.zipRight(round, Ref.set(failures, 0)).pipe(
      Effect.catchAllCause((cause) =>
        Effect.gen(function* () {
          yield* Effect.logError(`The worker ${worker} failed a round`, cause)
          const count = yield* Ref.updateAndGet(failures, (before) => before + 1)
          yield* report(count)
          yield* Effect.sleep(Duration.times(pauseAfter(count), yield* Random.nextRange(0.8, 1.2)))
        })
      ),
      Effect.zipRight(Effect.flatMap(Ref.get(failures), report))
    )
    yield* report(0)
    yield* Effect.logDebug(`The worker ${worker} runs`)
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(workers.forget(worker), Effect.logDebug(`The worker ${worker} has stopped`))
    )
    yield* Effect.forkScoped(Effect.forever(once))
  })
