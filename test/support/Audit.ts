import { Effect } from "effect"
import { parseStored } from "../../src/kernel/Json.ts"
import { iso } from "../../src/kernel/Time.ts"
import { genesis, hashOf } from "../../src/storage/events/Audit.ts"
import { type Build, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"

/** An entry of the audit chain as its row holds it. */
export interface AuditRow {
  readonly sequence: number
  readonly createdAt: number
  readonly actor: string
  readonly role: string
  readonly action: string
  readonly resource: string
  readonly resourceId: string
  readonly workspaceId: string
  readonly details: string
  readonly previousHash: string
  readonly hash: string
}

/** Selects the whole chain, oldest first. */
export const selectAudit: Build = sql`
  SELECT sequence, created_at AS createdAt, actor, role, action, resource, resource_id AS resourceId,
    workspace_id AS workspaceId, details, previous_hash AS previousHash, hash
  FROM audit ORDER BY sequence`

/** The whole chain of the store. */
export const auditTrail = Effect.flatMap(Storage, ({ select }) => select<AuditRow>(selectAudit))

/** The sequence of the first entry that does not follow from the one before it; undefined when all do. */
export const brokenLink = (trail: ReadonlyArray<AuditRow>): number | undefined => {
  let previous = { sequence: 0, hash: genesis }
  for (const row of trail) {
    const { createdAt, details, hash, ...entry } = row
    const expected = hashOf({ ...entry, timestamp: iso(createdAt), details: parseStored(details) })
    const follows = row.sequence === previous.sequence + 1 && row.previousHash === previous.hash
    if (!follows || hash !== expected) return row.sequence
    previous = row
  }
}
