import { Effect, Schema } from "effect"
import { now } from "../../kernel/Time.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import { firstRow, moves, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Disposition } from "./Trigger.ts"

/** What a run is told about the message that started it. */
const TriggerContext = Schema.Struct({
  community: Schema.String,
  channelId: Schema.String,
  eventId: Schema.String,
  authorPubkey: Schema.String,
  mappingId: Schema.String,
  ruleId: Schema.String,
  /** What was said, sanitised and without secrets. */
  message: Schema.String
})
export type TriggerContext = typeof TriggerContext.Type

const contextOf = columnReader(TriggerContext, "external_triggers", "context")

/** A workflow that a message is to start. */
export interface StoredTrigger {
  readonly causalKey: string
  readonly adapterId: string
  readonly ruleId: string
  readonly workflowId: string
  readonly context: TriggerContext
  readonly state: "recorded" | Disposition
  readonly runId: string | null
  readonly attempts: number
}

type TriggerRow = Omit<StoredTrigger, "context"> & { readonly context: string }

const triggerOf = ({ context, ...row }: TriggerRow): StoredTrigger => ({
  ...row,
  context: contextOf(context, row.causalKey)
})

const columns = `causal_key AS causalKey, adapter_id AS adapterId, rule_id AS ruleId, workflow_id AS workflowId,
  context, state, run_id AS runId, attempts`

/** The trigger with a key. */
export const find = (causalKey: string): Effect.Effect<StoredTrigger | undefined, never, Sql> =>
  Effect.map(
    firstRow<TriggerRow>(
      (sql) => sql`SELECT ${sql.literal(columns)} FROM external_triggers WHERE causal_key = ${causalKey}`
    ),
    (found) => found && triggerOf(found)
  )

/** The name of the queue that wakes the worker. */
export const queue = "workflow-triggers"

/** Writes down a workflow that is to be started, once for its key and for good: a replay finds it. */
export const insert = (
  trigger: Pick<StoredTrigger, "causalKey" | "adapterId" | "ruleId" | "workflowId" | "context">
): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(Effect.zipRight(moves(queue), now), (at) =>
    run(
      sql`
        INSERT INTO external_triggers (causal_key, adapter_id, rule_id, workflow_id, context, state, attempts, next_at,
          created_at, updated_at)
        VALUES (${trigger.causalKey}, ${trigger.adapterId}, ${trigger.ruleId}, ${trigger.workflowId},
          ${JSON.stringify(trigger.context)}, 'recorded', 0, ${at}, ${at}, ${at})`
    )
  )

/** What is to be started at a time, in the order in which it came. */
export const due = (at: number): Effect.Effect<ReadonlyArray<StoredTrigger>, never, Sql> =>
  Effect.map(
    rows<TriggerRow>(
      (sql) => sql`
        SELECT ${sql.literal(columns)} FROM external_triggers
        WHERE next_at IS NOT NULL AND next_at <= ${at} ORDER BY next_at, causal_key LIMIT 50`
    ),
    (found) => found.map(triggerOf)
  )

/** When the next one is due. */
export const nextDue: Effect.Effect<number | undefined, never, Sql> = Effect.map(
  firstRow<{ at: number | null }>(
    sql`SELECT MIN(next_at) AS at FROM external_triggers WHERE next_at IS NOT NULL`
  ),
  (found) => found?.at ?? undefined
)

/** Notes what came of a trigger: it is not looked at again. */
export const settle = (
  causalKey: string,
  state: Disposition,
  reasonCode: string,
  runId: string | null
): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) =>
    run(
      sql`
        UPDATE external_triggers
        SET state = ${state}, reason_code = ${reasonCode}, run_id = ${runId}, attempts = attempts + 1, next_at = NULL,
          updated_at = ${at}
        WHERE causal_key = ${causalKey}`
    )
  )

/** Puts a trigger off that could not be started. */
export const putOff = (causalKey: string, until: number): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(Effect.zipRight(moves(queue), now), (at) =>
    run(
      sql`
        UPDATE external_triggers SET attempts = attempts + 1, next_at = ${until}, updated_at = ${at}
        WHERE causal_key = ${causalKey}`
    )
  )
