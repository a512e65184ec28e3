import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { Client } from "../../../client/Client.ts"
import { duration } from "../../../client/Duration.ts"
import { AnalyticsApi } from "../../../insight/analytics/Api.ts"
import { Period } from "../../../insight/analytics/Period.ts"
import type { BoardHealth, Metrics } from "../../../insight/analytics/Report.ts"
import { ask } from "../../Answer.ts"
import { json, optionOf } from "../../Parts.ts"
import type { Paint } from "../../text/Paint.ts"

const period = Options.text("period").pipe(
  optionOf("--period", Period),
  Options.withPseudoName("DAYS"),
  Options.withDescription("Up to today: 7d, 2w, today, week, month, quarter or year; 30d without it"),
  Options.optional
)

const colours = { healthy: "green", "at-risk": "yellow", unhealthy: "red" } as const

const analyticsText = (metrics: Metrics, health: BoardHealth, paint: Paint): string => {
  const { averageMs, medianMs } = metrics.cycleTime
  const field = (name: string, value: string) => `${paint.dim(`${name}:`.padEnd(14))}${value}`
  return [
    field("completed", `${metrics.throughput} from ${metrics.from} to ${metrics.to}`),
    field(
      "cycle time",
      averageMs === null || medianMs === null
        ? "unknown: nothing was completed"
        : `${duration(medianMs)} median, ${duration(averageMs)} average`
    ),
    field("in progress", `${health.wip}`),
    field("blocked", `${health.blocked}`),
    field("stale", `${health.stale}`),
    field("health", `${paint[colours[health.status]](health.status)}, ${health.score} of 100`)
  ].join("\n")
}

export const analytics = Command.make("analytics", { period, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const urlParams = { period: Option.getOrUndefined(given.period) }
      const [metrics, timeline, health] = yield* Effect.all(
        [
          call(AnalyticsApi, ({ analytics }) => analytics.metrics({ urlParams })),
          call(AnalyticsApi, ({ analytics }) => analytics.timeline({ urlParams })),
          call(AnalyticsApi, ({ analytics }) => analytics.health({}))
        ],
        { concurrency: "unbounded" }
      )
      return {
        json: { metrics, timeline, health },
        text: (paint) => analyticsText(metrics, health, paint)
      }
    })
  )
)
