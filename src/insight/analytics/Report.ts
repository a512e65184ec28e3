import { Schema } from "effect"
import { type Days, dateOf } from "./Period.ts"

const Day = Schema.String.annotations({
  jsonSchema: { type: "string", format: "date", description: "A day in UTC" }
})

const covered = {
  period: Schema.String.annotations({ description: "How many days are covered, e.g. `30d`" }),
  from: Day,
  to: Day
}

/** How days are named in an answer. */
export const coverage = ({ first, last }: Days) => ({
  period: `${last - first + 1}d`,
  from: dateOf(first),
  to: dateOf(last)
})

/** How many tasks came and how many were completed, for each day of a period. */
export const Timeline = Schema.Struct({
  ...covered,
  points: Schema.Array(Schema.Struct({ date: Day, completed: Schema.Int, created: Schema.Int }))
}).annotations({ identifier: "Timeline" })
export type Timeline = typeof Timeline.Type

/** How long tasks took; null when none was completed. */
export const CycleTime = Schema.Struct({
  averageMs: Schema.NullOr(Schema.Int),
  medianMs: Schema.NullOr(Schema.Int)
}).annotations({ identifier: "CycleTime" })
export type CycleTime = typeof CycleTime.Type

/** The average and the median of times; of an even number the median is the mean of the middle two. */
export const cycleTimeOf = (times: ReadonlyArray<number>): CycleTime => {
  if (times.length === 0) return { averageMs: null, medianMs: null }
  const sorted = Float64Array.from(times).sort()
  const middle = sorted.subarray((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  const mean = (of: Float64Array) => Math.round(of.reduce((sum, ms) => sum + ms, 0) / of.length)
  return { averageMs: mean(sorted), medianMs: mean(middle) }
}

/** What was completed in a period, how long it took, and how much is in progress now. */
export const Metrics = Schema.Struct({
  ...covered,
  throughput: Schema.Int,
  cycleTime: CycleTime,
  wip: Schema.Int
}).annotations({ identifier: "Metrics" })
export type Metrics = typeof Metrics.Type

/** The tasks that are worked on: in progress, blocked, and those among both that nothing happens to. */
export interface Work {
  readonly wip: number
  readonly blocked: number
  readonly stale: number
}

/** How the board is. */
export const BoardHealth = Schema.Struct({
  status: Schema.Literal("healthy", "at-risk", "unhealthy"),
  score: Schema.Int,
  blocked: Schema.Int,
  stale: Schema.Int,
  wip: Schema.Int
}).annotations({ identifier: "BoardHealth" })
export type BoardHealth = typeof BoardHealth.Type

/**
 * The health of a board: 100, less half of the share of its begun tasks that is blocked, less half of the share that is
 * stale, in percent. A board on which nothing is begun is healthy. From 80 on it is healthy, below 50 unhealthy.
 */
export const healthOf = ({ blocked, stale, wip }: Work): BoardHealth => {
  const begun = wip + blocked
  const score = begun === 0 ? 100 : Math.round(100 - (50 * (blocked + stale)) / begun)
  const status = score >= 80 ? "healthy" : score >= 50 ? "at-risk" : "unhealthy"
  return { status, score, blocked, stale, wip }
}
