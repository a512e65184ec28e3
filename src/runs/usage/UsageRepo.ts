import { Effect } from "effect"
import { rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import type { Usage } from "./Usage.ts"

/** Adds what an attempt has used to what it had used of the same model. */
export const add = (
  { agent, id, taskId }: Pick<Attempt, "id" | "taskId" | "agent">,
  { cacheReadTokens, cacheWriteTokens, cost, inputTokens, model, outputTokens }: Usage,
  at: number
): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO attempt_usage (attempt_id, model, task_id, agent, input_tokens, output_tokens,
        cache_read_tokens, cache_write_tokens, cost, reports, updated_at)
      VALUES (${id}, ${model ?? ""}, ${taskId}, ${agent}, ${inputTokens}, ${outputTokens}, ${cacheReadTokens},
        ${cacheWriteTokens}, ${cost}, 1, ${at})
      ON CONFLICT (attempt_id, model) DO UPDATE SET
        input_tokens = MIN(input_tokens + excluded.input_tokens, ${Number.MAX_SAFE_INTEGER}),
        output_tokens = MIN(output_tokens + excluded.output_tokens, ${Number.MAX_SAFE_INTEGER}),
        cache_read_tokens = MIN(cache_read_tokens + excluded.cache_read_tokens, ${Number.MAX_SAFE_INTEGER}),
        cache_write_tokens = MIN(cache_write_tokens + excluded.cache_write_tokens, ${Number.MAX_SAFE_INTEGER}),
        cost = CASE WHEN cost IS NULL THEN excluded.cost ELSE cost + COALESCE(excluded.cost, 0) END,
        reports = reports + 1, updated_at = excluded.updated_at`
  )

/** What an attempt has used, model by model. */
export const of = (attemptId: string): Effect.Effect<ReadonlyArray<Usage>, never, Sql> =>
  Effect.map(
    rows<Usage & { readonly model: string }>(
      sql`
        SELECT model, input_tokens AS inputTokens, output_tokens AS outputTokens,
          cache_read_tokens AS cacheReadTokens, cache_write_tokens AS cacheWriteTokens, cost
        FROM attempt_usage WHERE attempt_id = ${attemptId} ORDER BY model LIMIT 100`
    ),
    (found) => found.map((usage) => ({ ...usage, model: usage.model === "" ? null : usage.model }))
  )
