import { Effect } from "effect"
import { parseStored } from "../../kernel/Json.ts"
import { iso } from "../../kernel/Time.ts"
import { rows, type Sql, sql } from "../../storage/Sql.ts"
import type { AuditEntry } from "./AuditEntry.ts"

type AuditRow = Omit<AuditEntry, "timestamp" | "details"> & {
  readonly createdAt: number
  readonly details: string
}

const orRaw = <A>(raw: string, read: () => A): A | string => {
  try {
    return read()
  } catch {
    return raw
  }
}

/**
 * An entry as it is shown and checked. Somebody may have put anything into its row: what can't be read stands there as it
 * is, and the entry has another hash than the one that was written.
 */
const entryOf = ({ createdAt, details, ...row }: AuditRow): AuditEntry => ({
  ...row,
  timestamp: orRaw(String(createdAt), () => iso(createdAt)),
  details: orRaw(details, () => parseStored<unknown>(details))
})

/** The newest entries before a sequence. */
export const newest = (limit: number, before: number): Effect.Effect<ReadonlyArray<AuditEntry>, never, Sql> =>
  Effect.map(
    rows<AuditRow>(
      sql`
        SELECT id, sequence, created_at AS createdAt, actor, role, action, resource, resource_id AS resourceId,
          workspace_id AS workspaceId, details, previous_hash AS previousHash, hash
        FROM audit WHERE sequence < ${before} ORDER BY sequence DESC LIMIT ${limit}`
    ),
    (found) => found.map(entryOf)
  )

/** The entries after a sequence, in their order. */
export const after = (
  sequence: number,
  limit: number
): Effect.Effect<ReadonlyArray<AuditEntry>, never, Sql> =>
  Effect.map(
    rows<AuditRow>(
      sql`
        SELECT id, sequence, created_at AS createdAt, actor, role, action, resource, resource_id AS resourceId,
          workspace_id AS workspaceId, details, previous_hash AS previousHash, hash
        FROM audit WHERE sequence > ${sequence} ORDER BY sequence LIMIT ${limit}`
    ),
    (found) => found.map(entryOf)
  )
