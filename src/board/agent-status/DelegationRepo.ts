import type { Effect } from "effect"
import { run, type Sql, sql } from "../../storage/Sql.ts"
import type { DelegationViolation } from "./Delegation.ts"

/** Records a report, made at a time in milliseconds since the epoch. */
export const insert = (violation: DelegationViolation, at: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO delegation_violations (id, json, created_at)
      VALUES (${violation.id}, ${JSON.stringify(violation)}, ${at})`
  )
