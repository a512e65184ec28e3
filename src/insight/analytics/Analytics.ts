import { Array as Arr, Context, Duration, Effect, Layer } from "effect"
import { now } from "../../kernel/Time.ts"
import * as Projection from "../../storage/Projection.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import * as AnalyticsRepo from "./AnalyticsRepo.ts"
import { boardModel } from "./BoardModel.ts"
import type { PeriodInvalid } from "./Errors.ts"
import { type Days, dateOf, daysAsked, type PeriodQuery } from "./Period.ts"
import { type BoardHealth, coverage, healthOf, type Metrics, type Timeline } from "./Report.ts"

/** For how long nothing happens to a task that was begun until it is stale. */
export const staleAfter = Duration.days(7)

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
      const { catchUp } = yield* Projection.keep(boardModel)

      const read = <A>(query: Effect.Effect<A, never, Sql>) => Effect.zipRight(catchUp, storage.read(query))
      const over =
        <A>(report: (days: Days) => Effect.Effect<A, never, Sql>) =>
        (query: PeriodQuery): Effect.Effect<A, PeriodInvalid> =>
          Effect.gen(function* () {
            const days = yield* daysAsked(query, yield* now)
            return yield* read(report(days))
          })

      return Analytics.of({
        timeline: over(timelineOf),
        metrics: over(metricsOf),
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

const metricsOf = (days: Days): Effect.Effect<Metrics, never, Sql> =>
  Effect.gen(function* () {
    const completed = yield* AnalyticsRepo.completions(days)
    const { wip } = yield* workNow
    return {
      ...coverage(days),
      throughput: [...completed.values()].reduce((sum, n) => sum + n, 0),
      cycleTime: yield* AnalyticsRepo.cycleTime(days),
      wip
    }
  })

const workNow = Effect.flatMap(now, (at) => AnalyticsRepo.work(at - Duration.toMillis(staleAfter)))
