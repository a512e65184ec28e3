import { Data, Effect } from "effect"
import { now } from "../kernel/Time.ts"
import { firstRow, rows, run, type Sql, sql } from "./Sql.ts"

/*
 * A lease is for whatever must be owned by one at a time: an attempt, a claimed entry of a queue, a workflow run, a
 * worktree that an attempt works in. Who holds one may think so for longer than it is true, after a pause or a jump of
 * the clock; so what it writes stands behind `guard`, in the same unit.
 */

/** What a holder was given. Its epoch is greater than that of every lease before it. */
export interface Lease {
  readonly name: string
  readonly epoch: number
}

/** Somebody else owns it, until a time in milliseconds since the epoch unless they renew it. */
export class LeaseHeld extends Data.TaggedError("LeaseHeld")<{
  readonly name: string
  readonly holder: string
  readonly expiresAt: number
}> {}

/** The lease was released, taken away, or given to somebody else after it expired. */
export class LeaseLost extends Data.TaggedError("LeaseLost")<Lease> {}

/**
 * Takes what is free, or whose lease has expired, for so many milliseconds. `holder` only says to others who it is:
 * whoever asks again under the same name is somebody else.
 */
export const acquire = (
  name: string,
  holder: string,
  milliseconds: number
): Effect.Effect<Lease, LeaseHeld, Sql> =>
  Effect.gen(function* () {
    const at = yield* now
    yield* run(sql`DELETE FROM leases WHERE name = ${name} AND expires_at <= ${at}`)
    const given = yield* firstRow<Lease>(
      sql`
        INSERT INTO leases (name, holder, expires_at) VALUES (${name}, ${holder}, ${at + milliseconds})
        ON CONFLICT (name) DO NOTHING RETURNING name, epoch`
    )
    if (given !== undefined) return given
    const held = yield* firstRow<{ holder: string; expiresAt: number }>(
      sql`SELECT holder, expires_at AS expiresAt FROM leases WHERE name = ${name}`
    )
    return yield* held === undefined
      ? Effect.dieMessage("A lease was neither given nor held")
      : new LeaseHeld({ name, ...held })
  })

/**
 * Holds on to a lease for so many milliseconds from now. One that has expired is renewed too while nobody has taken it:
 * its holder was asleep, and nothing happened meanwhile.
 */
export const renew = (lease: Lease, milliseconds: number): Effect.Effect<void, LeaseLost, Sql> =>
  Effect.gen(function* () {
    const expiresAt = (yield* now) + milliseconds
    const renewed = yield* rows(
      sql`
        UPDATE leases SET expires_at = ${expiresAt} WHERE epoch = ${lease.epoch} AND name = ${lease.name}
        RETURNING epoch`
    )
    if (renewed.length === 0) return yield* new LeaseLost(lease)
  })

/** Lets a unit pass that holds the lease. One that has expired is good until somebody else takes it. */
export const guard = (lease: Lease): Effect.Effect<void, LeaseLost, Sql> =>
  Effect.flatMap(
    rows<{ epoch: number }>(
      sql`SELECT epoch FROM leases WHERE epoch = ${lease.epoch} AND name = ${lease.name}`
    ),
    ({ length }) => (length === 1 ? Effect.void : new LeaseLost(lease))
  )

/** Gives a lease up. One that is lost already is somebody else's, and stays theirs. */
export const release = ({ epoch, name }: Lease): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM leases WHERE epoch = ${epoch} AND name = ${name}`)

/** Takes away whoever's lease it is: what it was for is gone, or has to end. */
export const revoke = (name: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM leases WHERE name = ${name}`)
