import { Effect } from "effect"
import { columnReader } from "../../storage/JsonColumn.ts"
import { firstRow, run, type Sql, sql } from "../../storage/Sql.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import { Evidence, isCurrent } from "./Evidence.ts"

const evidenceOf = columnReader(Evidence, "relay_evidence")

/** The evidence that speaks for an adapter as it is configured now. */
export const current = (adapter: RelayAdapter): Effect.Effect<Evidence | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ json: string }>(sql`SELECT json FROM relay_evidence WHERE adapter_id = ${adapter.id}`),
    (found) => {
      const evidence = found && evidenceOf(found.json, adapter.id)
      return evidence !== undefined && isCurrent(evidence, adapter) ? evidence : undefined
    }
  )

/** Forgets what was found out about the relay of an adapter. */
export const remove = (adapterId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM relay_evidence WHERE adapter_id = ${adapterId}`)

/** Keeps what a probe found. */
export const put = (adapterId: string, evidence: Evidence): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO relay_evidence (adapter_id, json) VALUES (${adapterId}, ${JSON.stringify(evidence)})
      ON CONFLICT (adapter_id) DO UPDATE SET json = excluded.json`
  )
