import { Effect } from "effect"
import { canonicalize, digestOf } from "../../kernel/Digest.ts"
import { iso } from "../../kernel/Time.ts"
import { type Execute, firstRow, type Sql, sql } from "../Sql.ts"
import type { Change } from "./Change.ts"

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

const lastLink = sql`SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1`

/** The last entry of the chain; its beginning when there is none. */
export const last: Effect.Effect<Link, never, Sql> = Effect.map(
  firstRow<Link>(lastLink),
  (found) => found ?? emptyChain
)

/** The entry of a sequence. */
export const at = (sequence: number): Effect.Effect<Link | undefined, never, Sql> =>
  sequence === 0
    ? Effect.succeed(emptyChain)
    : firstRow<Link>(sql`SELECT sequence, hash FROM audit WHERE sequence = ${sequence}`)

/**
 * The digest of an entry. Its RFC 8785 form is put together here, as its names and their order are known: every write has
 * an entry, and finding them out each time takes longer than the rest of it.
 */
export const hashOf = (entry: AuditEntry): string => {
  const { action, actor, previousHash, resource, resourceId, role, timestamp, workspaceId } = entry
  const details = canonicalize(entry.details)
  return digestOf(
    `{"action":${quoted(action)},"actor":${quoted(actor)},"details":${details},"previousHash":${quoted(previousHash)},"resource":${quoted(resource)},"resourceId":${quoted(resourceId)},"role":${quoted(role)},"sequence":${entry.sequence},"timestamp":${quoted(timestamp)},"workspaceId":${quoted(workspaceId)}}`
  )
}

const quoted = (text: string): string => JSON.stringify(text)

/**
 * Appends a link to the audit chain (spec 1-core, `GET /audit`), in the unit of the change that it records.
 * The chain can't fork: units run one after another on one connection.
 */
export const append = (execute: Execute, change: Change, at: number): void => {
  const end = execute<Link>(lastLink)[0] ?? emptyChain
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
  execute(
    sql`
      INSERT INTO audit (sequence, id, created_at, actor, role, action, resource, resource_id, workspace_id,
        details, previous_hash, hash)
      VALUES (${entry.sequence}, ${`audit_${entry.sequence}`}, ${at}, ${entry.actor}, ${entry.role},
        ${entry.action}, ${entry.resource}, ${entry.resourceId}, ${entry.workspaceId},
        ${JSON.stringify(entry.details)}, ${entry.previousHash}, ${hashOf(entry)})`
  )
}
