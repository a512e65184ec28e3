import { isIPv6 } from "node:net"
import { Context, Effect, Layer } from "effect"
import { type ActorContext, identityOf, isImplicit } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import { TooManyAttempts } from "../../kernel/TooManyAttempts.ts"

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

/**
 * From where somebody guesses. A valid credential that comes along is a place of its own, so that whoever guesses without
 * one does not keep its holder out: this machine is one address for the owner and for every process on it. Else it is the
 * address, of IPv6 the network of it, because one machine has as many addresses there as it likes.
 */
export const placeOf = (address: string, by: ActorContext): string =>
  by.authMethod === "anonymous" || isImplicit(by) ? networkOf(address) : identityOf(by)

const networkOf = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::")
  const groups = (part: string | undefined) => (part === undefined || part === "" ? [] : part.split(":"))
  const [first, last] = [groups(head), groups(tail)]
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length
  const all = [...first, ...Array<string>(Math.max(0, zeros)).fill("0"), ...last]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`
}

/** The attempts that still count. */
export const counting = (failures: Failures, at: number, { windowMs }: Budget): Failures =>
  failures.filter((failure) => failure > at - windowMs)

/**
 * Slows down those who guess. An attempt counts before it is judged, so that a hundred at once are not judged at once;
 * one that succeeds takes its sender's attempts back.
 */
export interface ThrottleService {
  readonly attempt: (what: Throttled, who: string) => Effect.Effect<void, TooManyAttempts>
  readonly succeeded: (what: Throttled, who: string) => Effect.Effect<void>
}

export class Throttle extends Context.Tag("muster/Throttle")<Throttle, ThrottleService>() {
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
