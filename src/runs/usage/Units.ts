import { Effect } from "effect"
import * as Telemetry from "../../insight/telemetry/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import { bucketsOf, type UsageReport } from "./Usage.ts"
import * as UsageRepo from "./UsageRepo.ts"

/** What an attempt has used, model by model. */
export const usageOf = UsageRepo.of

/** Counts what a provider reports for an attempt, once: in its own usage and in the telemetry of its task. */
export const recordUsage = (
  attempt: Attempt,
  report: UsageReport,
  by: ActorContext
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const usage = bucketsOf(report)
    yield* UsageRepo.add(attempt, usage, yield* now)
    const { cacheReadTokens, cacheWriteTokens, cost, inputTokens, model, outputTokens } = usage
    yield* Telemetry.record(
      {
        type: "run.tokens",
        taskId: attempt.taskId,
        agent: attempt.agent,
        inputTokens,
        outputTokens,
        cacheTokens: Math.min(cacheReadTokens + cacheWriteTokens, Number.MAX_SAFE_INTEGER),
        ...(model === null ? {} : { model }),
        ...(cost === null ? {} : { cost })
      },
      by
    )
  })
