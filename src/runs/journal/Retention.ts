import { Effect } from "effect"
import { now } from "../../kernel/Time.ts"
import * as Log from "../../storage/Log.ts"
import type { Retention } from "../../storage/Retention.ts"

/**
 * What runs said and did: a quarter of a year, and of each attempt its newest hundred thousand events. Here each of the
 * two takes away by itself: a run that says a lot on one day is no less of a burden than an old one.
 */
export const runEventRetention: Retention = {
  name: "runs",
  span: { days: 90, count: 100_000 },
  forget: ({ before, newest }, size) =>
    Effect.gen(function* () {
      const rule = { resource: "attempt", newest, milliseconds: (yield* now) - before }
      // A piece of the log is more than was asked for: there may be another one.
      return (yield* Log.prune(rule)) ? size : 0
    })
}
