import { Effect } from "effect"
import { digest } from "../kernel/Digest.ts"
import { iso } from "../kernel/Time.ts"
import type { Change } from "./Change.ts"
import { firstRow, moves, run, type Sql, sql } from "./Sql.ts"

/** The hash that the first entry of the chain follows. */
export const genesis = "sha256:0"

/** What an entry's hash covers: everything that it says, and the hash of the entry before it. */
export interface AuditEntry {
  readonly sequence: number
  readonly timestamp: string
  readonly actor: string
  readonly role: string
  readonly action: string
  readonly resource: string
  readonly resourceId: string
  readonly workspaceId: string
  readonly details: unknown
  readonly previousHash: string
}

/** An entry's place in the chain. */
export interface Link {
  readonly sequence: number
  readonly hash: string
}

/** What the chain is called by those who wait for its next link. */
export const auditChain = "audit"

/** What the first entry follows. */
export const emptyChain: Link = { sequence: 0, hash: genesis }

/** The last entry of the chain; its beginning when there is none. */
export const last: Effect.Effect<Link, never, Sql> = Effect.map(
  firstRow<Link>(sql`SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1`),
  (found) => found ?? emptyChain
)

/** The entry of a sequence. */
export const at = (sequence: number): Effect.Effect<Link | undefined, never, Sql> =>
  sequence === 0
    ? Effect.succeed(emptyChain)
    : firstRow<Link>(sql`SELECT sequence, hash FROM audit WHERE sequence = ${sequence}`)

/** The hash of an entry. */
export const hashOf = (entry: AuditEntry): string => digest(entry)

/**
 * Appends a link to the audit chain (spec 1-core, `GET /audit`), in the unit of the change that it records.
 * The chain can't fork: units run one after another on one connection.
 */
export const append = (change: Change, at: number): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(last, (end) => {
    const entry: AuditEntry = {
      sequence: end.sequence + 1,
      timestamp: iso(at),
      actor: change.by.name,
      role: change.by.role,
      action: change.kind,
      resource: change.resource,
      resourceId: change.resourceId,
      workspaceId: change.by.workspaceId,
      details: change.payload,
      previousHash: end.hash
    }
    const insert = run(
      sql`
        INSERT INTO audit (sequence, id, created_at, actor, role, action, resource, resource_id, workspace_id,
          details, previous_hash, hash)
        VALUES (${entry.sequence}, ${`audit_${entry.sequence}`}, ${at}, ${entry.actor}, ${entry.role},
          ${entry.action}, ${entry.resource}, ${entry.resourceId}, ${entry.workspaceId},
          ${JSON.stringify(entry.details)}, ${entry.previousHash}, ${hashOf(entry)})`
    )
    return Effect.zipRight(moves(auditChain), insert)
  })
