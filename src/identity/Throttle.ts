import { Context, Effect, Layer } from "effect"
import { now } from "../kernel/Time.ts"
import { TooManyAttempts } from "../kernel/TooManyAttempts.ts"

/** What is throttled, and nothing else (decision Q68). */
export type Throttled = "setup" | "login" | "recover" | "pairing" | "pairing-code" | "invitation"

/** How many attempts fit into a window. */
interface Budget {
  readonly attempts: number
  readonly windowMs: number
}

const perAddress: Budget = { attempts: 5, windowMs: 60_000 }

const budgets: Readonly<Record<Throttled, Budget>> = {
  setup: perAddress,
  login: perAddress,
  recover: perAddress,
  pairing: perAddress,
  "pairing-code": { attempts: 10, windowMs: 300_000 },
  invitation: perAddress
}

/** How many senders are remembered; beyond it the one that tried longest ago is forgotten. */
const memory = 10_000

/** When those attempts were made that did not succeed. */
type Failures = ReadonlyArray<number>

/** The attempts that still count. */
export const counting = (failures: Failures, at: number, { windowMs }: Budget): Failures =>
  failures.filter((failure) => failure > at - windowMs)

/**
 * Slows down those who guess. An attempt counts before it is judged, so that a hundred at once are not judged at once;
 * one that succeeds takes its sender's attempts back.
 */
export class Throttle extends Context.Tag("muster/Throttle")<
  Throttle,
  {
    readonly attempt: (what: Throttled, who: string) => Effect.Effect<void, TooManyAttempts>
    readonly succeeded: (what: Throttled, who: string) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.sync(Throttle, () => {
    const known = new Map<string, Failures>()
    return Throttle.of({
      attempt: (what, who) =>
        Effect.flatMap(now, (at) => {
          const budget = budgets[what]
          const key = `${what} ${who}`
          const failures = counting(known.get(key) ?? [], at, budget)
          const oldest = failures[0]
          if (oldest !== undefined && failures.length >= budget.attempts) {
            const waitMs = oldest + budget.windowMs - at
            return new TooManyAttempts({ retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) })
          }
          known.delete(key)
          known.set(key, [...failures, at])
          for (const first of known.keys()) {
            if (known.size <= memory) break
            known.delete(first)
          }
          return Effect.void
        }),
      succeeded: (what, who) => Effect.sync(() => known.delete(`${what} ${who}`))
    })
  })
}
