import { Array as Arr, Context, Duration, Effect, Layer } from "effect"
import { now } from "../../kernel/Time.ts"
import * as Projection from "../../storage/events/Projection.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import * as AnalyticsRepo from "./AnalyticsRepo.ts"
import { boardModel } from "./BoardModel.ts"
import type { PeriodInvalid } from "./Errors.ts"
import { type Days, dateOf, daysAsked, type PeriodQuery } from "./Period.ts"
import { type BoardHealth, coverage, cycleTimeOf, healthOf, type Metrics, type Timeline } from "./Report.ts"
import { TaskFacts } from "./TaskFacts.ts"

/** For how long nothing happens to a task that was begun until it is stale. */
export const staleAfter = Duration.days(7)

/** How many completions are read at once: a few milliseconds of the thread. */
const pageSize = 5_000

/** How the work on the board goes. Each read sees everything that was committed before it. */
export interface AnalyticsService {
  readonly timeline: (query: PeriodQuery) => Effect.Effect<Timeline, PeriodInvalid>
  readonly metrics: (query: PeriodQuery) => Effect.Effect<Metrics, PeriodInvalid>
  readonly health: Effect.Effect<BoardHealth>
}

export class Analytics extends Context.Tag("muster/Analytics")<Analytics, AnalyticsService>() {
  static readonly layer = Layer.scoped(
    Analytics,
    Effect.gen(function* () {
      const storage = yield* Storage
      const { catchUp } = yield* Projection.keep(boardModel(yield* TaskFacts))

      const read = <A>(query: Effect.Effect<A, never, Sql>) => Effect.zipRight(catchUp, storage.read(query))
      const timesOf = (days: Days): Effect.Effect<ReadonlyArray<number>> =>
        Effect.gen(function* () {
          const times: Array<number> = []
          let last: AnalyticsRepo.Timed | undefined
          for (;;) {
            const page = yield* storage.slice(AnalyticsRepo.timed(days, last, pageSize))
            for (const { ms } of page) times.push(ms)
            last = page.at(-1)
            if (last === undefined || page.length < pageSize) return times
          }
        })

      return Analytics.of({
        timeline: Effect.fn("Analytics.timeline")(function* (query) {
          return yield* read(timelineOf(yield* daysAsked(query, yield* now)))
        }),
        metrics: Effect.fn("Analytics.metrics")(function* (query) {
          const days = yield* daysAsked(query, yield* now)
          const counted = yield* read(metricsOf(days))
          return { ...counted, cycleTime: cycleTimeOf(yield* timesOf(days)) }
        }),
        health: read(Effect.map(workNow, healthOf))
      })
    })
  )
}

const timelineOf = (days: Days): Effect.Effect<Timeline, never, Sql> =>
  Effect.zipWith(AnalyticsRepo.arrivals(days), AnalyticsRepo.completions(days), (created, completed) => ({
    ...coverage(days),
    points: Arr.range(days.first, days.last).map((day) => ({
      date: dateOf(day),
      completed: completed.get(day) ?? 0,
      created: created.get(day) ?? 0
    }))
  }))

const metricsOf = (days: Days): Effect.Effect<Omit<Metrics, "cycleTime">, never, Sql> =>
  Effect.gen(function* () {
    const completed = yield* AnalyticsRepo.completions(days)
    const { wip } = yield* workNow
    return {
      ...coverage(days),
      throughput: [...completed.values()].reduce((sum, n) => sum + n, 0),
      wip
    }
  })

const workNow = Effect.flatMap(now, (at) => AnalyticsRepo.work(at - Duration.toMillis(staleAfter)))
