import { Context, Duration, Effect, Layer, Queue } from "effect"
import { now } from "../../kernel/Time.ts"
import { hashOfToken } from "../../kernel/Token.ts"
import * as Worker from "../../kernel/Worker.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { SigningKeys, type SigningKeysService } from "../keys/SigningKeys.ts"
import { Revocations } from "../revocations/Revocations.ts"
import * as PrincipalRepo from "./PrincipalRepo.ts"

/** The longest sleep until somebody's time is up: a machine that was suspended sleeps past it without noticing. */
const nap = Duration.seconds(5)

/**
 * Everybody who can come in with a secret that this server made. It is asked for each request, so it is kept in memory:
 * read when the server starts, and again after everything that changes it, of which the end of somebody's time is one.
 */
export interface PrincipalsService {
  /** Who a secret of this kind speaks for, if it counts at this time. */
  readonly find: (
    kind: PrincipalRepo.Principal["kind"],
    secret: string,
    at: number
  ) => PrincipalRepo.Principal | undefined
  /**
   * Commits a change of who may come in, which counts from the next request on, and keeps what it revoked. A caller
   * that goes away does not stop it half-way: what storage has revoked must not stay known here.
   */
  readonly change: <A, E>(unit: Effect.Effect<A, E, Sql>) => Effect.Effect<A, E>
  /** Reads everybody again: after a change that lies outside of storage. */
  readonly refresh: Effect.Effect<void>
  /**
   * Calls the listener after every change, and when somebody's time is up: a token, a device or a login that expires, or
   * whose signing key does. Gives the way to stop it.
   */
  readonly onChange: (listener: () => void) => () => void
}

export class Principals extends Context.Tag("muster/Principals")<Principals, PrincipalsService>() {
  static readonly layer = Layer.scoped(
    Principals,
    Effect.gen(function* () {
      const storage = yield* Storage
      const keys = yield* SigningKeys
      const revocations = yield* Revocations
      const listeners = new Set<() => void>()
      const changes = yield* Queue.sliding<void>(1)
      const read = Effect.gen(function* () {
        const at = yield* now
        const principals = yield* storage.read(PrincipalRepo.all(at))
        return { principals, nextEnd: nextEnd(principals, keys, at) }
      })
      let known = yield* read

      const refresh = Effect.map(read, (found) => {
        known = found
        changes.unsafeOffer(undefined)
        for (const listener of listeners) listener()
      })

      const round = Effect.gen(function* () {
        if (known.nextEnd === undefined) return yield* Queue.take(changes)
        const left = known.nextEnd - (yield* now)
        if (left <= 0) return yield* refresh
        yield* Effect.timeoutOption(Queue.take(changes), Duration.min(Duration.millis(left), nap))
      })
      yield* Worker.start("identity:expiry", round)

      return Principals.of({
        find: (kind, secret, at) => {
          const found = known.principals.get(hashOfToken(secret))
          if (found === undefined || found.kind !== kind) return undefined
          if (found.expiresAt !== undefined && found.expiresAt <= at) return undefined
          const { signingKey } = found
          return signingKey === undefined || keys.find(signingKey, at) !== undefined ? found : undefined
        },
        change: (unit) =>
          Effect.uninterruptible(
            Effect.zipLeft(storage.write(unit), Effect.zipRight(refresh, revocations.keep))
          ),
        refresh,
        onChange: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        }
      })
    })
  )
}

/** When the next of these secrets stops counting; undefined when none of them ever does. */
const nextEnd = (
  principals: ReadonlyMap<string, PrincipalRepo.Principal>,
  keys: SigningKeysService,
  at: number
): number | undefined => {
  let first: number | undefined
  for (const { expiresAt, signingKey } of principals.values()) {
    const keyEnd = signingKey === undefined ? undefined : keys.find(signingKey, at)?.endsAt
    for (const end of [expiresAt, keyEnd]) {
      if (end !== undefined && end > at && (first === undefined || end < first)) first = end
    }
  }
  return first
}
