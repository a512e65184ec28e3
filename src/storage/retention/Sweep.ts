import { Duration, Effect, Exit, Layer, Option } from "effect"
import { now } from "../../kernel/Time.ts"
import * as Worker from "../../kernel/Worker.ts"
import type { Retention, Span, Spans } from "../Retention.ts"
import { Storage } from "../Storage.ts"
import { oldEvents } from "./OldEvents.ts"
import { oldOperations } from "./OldOperations.ts"

/** How often old rows are looked for, and how long after the start for the first time. */
const interval = Duration.minutes(5)

/** How many rows a unit takes: with all their indexes two milliseconds of the thread. */
const pieceSize = 100

/** How much longer than its work it rests: it leaves most of the thread to requests. */
const restFactor = 2

/** Everything that is kept for a while: what rooms declare, and what storage itself keeps. */
export const withOwn = (declared: ReadonlyArray<Retention>): ReadonlyArray<Retention> => [
  oldOperations,
  ...declared,
  oldEvents(declared.flatMap(({ passing }) => passing ?? []))
]

/** The span of what is kept, as an operator chose it. */
const spanOf = ({ name, span }: Retention, chosen: Spans): Span => ({
  days: chosen[name]?.days ?? span.days,
  count: chosen[name]?.count ?? span.count
})

/** Takes away what has become too old of one kind, piece by piece, each in a unit of its own. */
const forgetOld = (retention: Retention, { count, days }: Span): Effect.Effect<void, never, Storage> =>
  Effect.gen(function* () {
    const { write } = yield* Storage
    const past = { before: (yield* now) - Duration.toMillis(Duration.days(days)), newest: count }
    for (;;) {
      const [took, done] = yield* Effect.timed(write(retention.forget(past, pieceSize)))
      if (done < pieceSize) return
      yield* Effect.sleep(Duration.times(took, restFactor))
    }
  })

/** Takes away what has become too old of everything. What fails at one kind holds up no other. */
export const sweep = (
  declared: ReadonlyArray<Retention>,
  chosen: Spans = {}
): Effect.Effect<void, never, Storage> =>
  Effect.gen(function* () {
    const came = yield* Effect.forEach(withOwn(declared), (one) =>
      Effect.exit(forgetOld(one, spanOf(one, chosen)))
    )
    yield* Option.getOrElse(Exit.all(came), () => Exit.void)
  })

/** Sweeps every few minutes, for the life of the scope. */
export const layer = (
  declared: ReadonlyArray<Retention>,
  chosen?: Spans
): Layer.Layer<never, never, Storage | Worker.Workers> =>
  Layer.scopedDiscard(
    Worker.start("retention", Effect.zipRight(Effect.sleep(interval), sweep(declared, chosen)))
  )
