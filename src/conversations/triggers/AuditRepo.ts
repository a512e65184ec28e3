import { Effect } from "effect"
import { newId } from "../../kernel/Ids.ts"
import { iso, now } from "../../kernel/Time.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { causalKeyOf, type InboundMessage } from "./Decision.ts"
import { type Disposition, hook, keptAudits, type TriggerAudit, type TriggerRule } from "./Trigger.ts"

/** What became of a message. */
export interface Verdict {
  readonly disposition: Disposition
  readonly reasonCode: string
  readonly runId?: string | null
}

/** Notes what became of a message for a rule. The same result again is counted. */
export const note = (
  message: InboundMessage,
  rule: TriggerRule,
  { disposition, reasonCode, runId = null }: Verdict
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const at = yield* now
    const causalKey = causalKeyOf(message, rule.id)
    const known = yield* firstRow<{ seq: number }>(
      sql`SELECT seq FROM relay_trigger_audits WHERE causal_key = ${causalKey} AND disposition = ${disposition}`
    )
    if (known !== undefined)
      return yield* run(
        sql`
          UPDATE relay_trigger_audits
          SET times = times + 1, reason_code = ${reasonCode}, run_id = ${runId}, updated_at = ${at}
          WHERE seq = ${known.seq}`
      )
    const id = yield* newId("audit")
    yield* run(
      sql`
        INSERT INTO relay_trigger_audits (id, adapter_id, mapping_id, rule_id, workflow_id, causal_key, community,
          channel_id, event_id, author_pubkey, kind, disposition, reason_code, run_id, times, created_at, updated_at)
        VALUES (${id}, ${rule.adapterId}, ${rule.mappingId}, ${rule.id}, ${rule.workflowId}, ${causalKey},
          ${message.community}, ${message.channelId}, ${message.eventId}, ${message.authorPubkey}, ${message.kind},
          ${disposition}, ${reasonCode}, ${runId}, 1, ${at}, ${at})`
    )
  })

/** Changes the audit of a start that was waiting, once its outcome is known. */
export const settle = (
  causalKey: string,
  { disposition, reasonCode, runId = null }: Verdict
): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) =>
    run(
      sql`
        UPDATE relay_trigger_audits
        SET disposition = ${disposition}, reason_code = ${reasonCode}, run_id = ${runId}, updated_at = ${at}
        WHERE causal_key = ${causalKey} AND disposition = 'waiting'`
    )
  )

/**
 * Keeps the newest `keptAudits` audits of an adapter. Those that say that nothing happened go first, so that a busy
 * channel does not push out what was started.
 */
export const prune = (adapterId: string): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      DELETE FROM relay_trigger_audits WHERE seq IN (
        SELECT seq FROM relay_trigger_audits WHERE adapter_id = ${adapterId}
        ORDER BY disposition IN ('ignored', 'mismatch', 'disabled'), seq DESC LIMIT -1 OFFSET ${keptAudits})`
  )

/** The newest audits of an adapter. */
export const newest = (
  adapterId: string,
  limit: number
): Effect.Effect<ReadonlyArray<TriggerAudit>, never, Sql> =>
  Effect.map(
    rows<
      Omit<TriggerAudit, "event" | "hook" | "createdAt" | "updatedAt"> & {
        readonly createdAt: number
        readonly updatedAt: number
      }
    >(
      sql`
        SELECT id, adapter_id AS adapterId, mapping_id AS mappingId, rule_id AS ruleId, workflow_id AS workflowId,
          causal_key AS causalKey, community, channel_id AS channelId, event_id AS eventId,
          author_pubkey AS authorPubkey, kind, disposition, reason_code AS reasonCode, run_id AS runId, times,
          created_at AS createdAt, updated_at AS updatedAt
        FROM relay_trigger_audits WHERE adapter_id = ${adapterId} ORDER BY seq DESC LIMIT ${limit}`
    ),
    (found) =>
      found.map(({ createdAt, updatedAt, ...audit }) => ({
        ...audit,
        event: "message.posted",
        hook,
        createdAt: iso(createdAt),
        updatedAt: iso(updatedAt)
      }))
  )
