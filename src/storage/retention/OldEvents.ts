import * as Outbox from "../events/Outbox.ts"
import type { Retention } from "../Retention.ts"

/**
 * What happened, for those who come back and for read models. Of each stream the newest of the old events stays, so that
 * its numbers go on, and so that whoever resumes after any sequence still hears of everything that has changed since.
 */
export const oldEvents = (passing: ReadonlyArray<string>): Retention => ({
  name: "events",
  span: { days: 30, count: 100_000 },
  forget: Outbox.forgetOld(passing)
})
