import { Context, Effect, Layer } from "effect"
import { now } from "../kernel/Time.ts"
import { hashOfToken } from "../kernel/Token.ts"
import type { Sql } from "../storage/Sql.ts"
import { Storage } from "../storage/Storage.ts"
import * as PrincipalRepo from "./PrincipalRepo.ts"
import { Revocations } from "./revocations/Revocations.ts"
import { SigningKeys } from "./signing/SigningKeys.ts"

/**
 * Everybody who can come in with a secret that this server made. It is asked for each request, so it is kept in memory:
 * read when the server starts, and again after everything that changes it.
 */
export class Principals extends Context.Tag("muster/Principals")<
  Principals,
  {
    /** Who a secret of this kind speaks for, if it counts at this time. */
    readonly find: (
      kind: PrincipalRepo.Principal["kind"],
      secret: string,
      at: number
    ) => PrincipalRepo.Principal | undefined
    /**
     * Commits a change of who may come in, which counts from the next request on, and keeps what it revoked. A caller that goes away does not stop
     * it half-way: what storage has revoked must not stay known here.
     */
    readonly change: <A, E>(unit: Effect.Effect<A, E, Sql>) => Effect.Effect<A, E>
    /** Reads everybody again: after a change that lies outside of storage. */
    readonly refresh: Effect.Effect<void>
    /** Calls the listener after every change; gives the way to stop it. */
    readonly onChange: (listener: () => void) => () => void
  }
>() {
  static readonly layer = Layer.effect(
    Principals,
    Effect.gen(function* () {
      const storage = yield* Storage
      const keys = yield* SigningKeys
      const revocations = yield* Revocations
      const listeners = new Set<() => void>()
      const read = Effect.flatMap(now, (at) => storage.read(PrincipalRepo.all(at)))
      let known = yield* read

      const refresh = Effect.map(read, (found) => {
        known = found
        for (const listener of listeners) listener()
      })

      return Principals.of({
        find: (kind, secret, at) => {
          const found = known.get(hashOfToken(secret))
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
