import { Effect, Schema } from "effect"
import { newId } from "../../kernel/Ids.ts"
import { rows, run, type Sql, sql } from "../Sql.ts"

/**
 * Something that opened the door and does not any more. `subject` is its id; `value` is what stands in its place, where
 * that matters: the state of an invitation, the role of a member, the login that went on, the owner's new hashes.
 */
export const Revocation = Schema.Struct({
  /** The same revocation has the same id in the database and beside it. */
  id: Schema.String,
  kind: Schema.Literal(
    "api-token",
    "device",
    "pairing-code",
    "invitation",
    "session",
    "sessions",
    "member",
    "member-role",
    "owner"
  ),
  subject: Schema.String,
  /** When, in milliseconds since the epoch. */
  at: Schema.Int,
  value: Schema.NullOr(Schema.String)
})
export type Revocation = typeof Revocation.Type

/** A revocation as it is made. */
export interface Revoked {
  readonly kind: Revocation["kind"]
  readonly subject: string
  readonly at: number
  readonly value?: string
}

/** What can be revoked more than once: each time counts. */
const repeats: ReadonlySet<Revocation["kind"]> = new Set(["sessions", "member-role", "owner"])

/** Notes a revocation in the unit that makes it. What is revoked already stays as it was noted first. */
export const record = ({ at, kind, subject, value }: Revoked): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(repeats.has(kind) ? newId(kind) : Effect.succeed(`${kind}:${subject}`), (id) =>
    insert({ id, kind, subject, at, value: value ?? null })
  )

/** Adds a revocation, once. */
export const insert = ({ at, id, kind, subject, value }: Revocation): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO revocations (id, kind, subject, at, value) VALUES (${id}, ${kind}, ${subject}, ${at}, ${value})
      ON CONFLICT (id) DO NOTHING`
  )

/** A revocation with its place in the table. */
export interface Placed extends Revocation {
  readonly seq: number
}

/** The revocations behind a place, in their order. */
export const after = (seq: number): Effect.Effect<ReadonlyArray<Placed>, never, Sql> =>
  rows<Placed>(sql`SELECT seq, id, kind, subject, at, value FROM revocations WHERE seq > ${seq} ORDER BY seq`)
