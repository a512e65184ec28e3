import { Effect, Schema } from "effect"
import { now } from "../../kernel/Time.ts"
import * as Revocation from "../../storage/revocations/Revocation.ts"
import { singleton } from "../../storage/Singleton.ts"
import { run, type Sql, sql } from "../../storage/Sql.ts"
import { ownerId } from "../members/Member.ts"

/** What proves the owner: hashes only. */
const Owner = Schema.Struct({ passwordHash: Schema.String, recoveryHash: Schema.String })
export type Owner = typeof Owner.Type

const proof = singleton("owner", Owner)

/** How many logins count at once; the oldest gives way. */
const sessionLimit = 50

/** The owner's proof; undefined before the setup. */
export const find: Effect.Effect<Owner | undefined, never, Sql> = proof.read

/** Replaces the owner's proof. */
export const put = (owner: Owner): Effect.Effect<void, never, Sql> => proof.write(owner)

/** Replaces the owner's proof, and notes that the one before is revoked. */
export const save = (owner: Owner): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) =>
    Effect.zipRight(
      put(owner),
      Revocation.record({ kind: "owner", subject: ownerId, at, value: JSON.stringify(owner) })
    )
  )

/** Names the owner. */
export const describe = ({
  displayName,
  email
}: {
  readonly displayName?: string
  readonly email?: string
}): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE users SET display_name = COALESCE(${displayName ?? null}, display_name),
        email = COALESCE(${email ?? null}, email)
      WHERE id = ${ownerId}`
  )

/** A login. */
export interface Session {
  readonly id: string
  readonly tokenHash: string
  readonly signingKey: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** Adds a login. Those that have expired are removed, and the oldest beyond the limit. */
export const insertSession = (session: Session): Effect.Effect<void, never, Sql> =>
  Effect.all(
    [
      run(sql`DELETE FROM password_sessions WHERE expires_at <= ${session.createdAt}`),
      run(
        sql`
          DELETE FROM password_sessions WHERE id NOT IN (
            SELECT id FROM password_sessions ORDER BY created_at DESC LIMIT ${sessionLimit - 1})`
      ),
      run(
        sql`
          INSERT INTO password_sessions (id, user_id, token_hash, signing_key, created_at, expires_at)
          VALUES (${session.id}, ${ownerId}, ${session.tokenHash}, ${session.signingKey}, ${session.createdAt},
            ${session.expiresAt})`
      )
    ],
    { discard: true }
  )

/** Ends a login. */
export const removeSession = (id: string): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) =>
    Effect.zipRight(
      run(sql`DELETE FROM password_sessions WHERE id = ${id}`),
      Revocation.record({ kind: "session", subject: id, at })
    )
  )

/** Ends all logins but one. */
export const removeOtherSessions = (kept: string | undefined): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) =>
    Effect.zipRight(
      run(sql`DELETE FROM password_sessions WHERE id <> ${kept ?? ""}`),
      Revocation.record({ kind: "sessions", subject: ownerId, at, value: kept ?? "" })
    )
  )

/** Ends all logins up to a time, but one. */
export const endSessionsUntil = (at: number, kept: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM password_sessions WHERE created_at <= ${at} AND id <> ${kept}`)
