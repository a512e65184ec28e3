import { Effect } from "effect"
import * as Revocation from "../../storage/revocations/Revocation.ts"
import type { Sql } from "../../storage/Sql.ts"

/** What revocations do to a board that does not know of them, by their kind: each room answers for its own. */
export type RevocationEffects = Readonly<
  Record<
    Revocation.Revocation["kind"],
    (revocation: Revocation.Revocation) => Effect.Effect<void, never, Sql>
  >
>

/**
 * Of the roles that a member had one after another the last one counts: who was lowered and raised again is not lowered
 * now.
 */
export const effective = (
  revocations: ReadonlyArray<Revocation.Revocation>
): ReadonlyArray<Revocation.Revocation> => {
  const lastRoles = new Map(
    revocations.flatMap(({ id, kind, subject }) => (kind === "member-role" ? [[subject, id]] : []))
  )
  return revocations.filter(
    ({ id, kind, subject }) => kind !== "member-role" || lastRoles.get(subject) === id
  )
}

/** Revokes on a board what it does not know of yet: all of them, in their order, and each once. */
export const apply = (
  effects: RevocationEffects,
  revocations: ReadonlyArray<Revocation.Revocation>
): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    Effect.forEach(revocations, Revocation.insert, { discard: true }),
    Effect.forEach(effective(revocations), (revocation) => effects[revocation.kind](revocation), {
      discard: true
    })
  )
