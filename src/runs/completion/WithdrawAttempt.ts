import { Effect } from "effect"
import { iso } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import { closeAttempt, type End } from "./CloseAttempt.ts"
import { conclude } from "./Conclude.ts"
import { commitCopy, findCopy } from "./TaskCopy.ts"

/**
 * Ends an attempt that never ran, in the unit of whoever decides it. Its task keeps its status and shows what became of
 * the attempt, if it has room for that.
 */
export const withdrawAttempt = (
  attempt: Attempt,
  reason: string,
  end: End
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const result = conclude({
      attempt,
      claims: null,
      terminalSource: "cancel",
      observed: { harness: { observedAt: iso(end.at), expectedOutputs: [] }, sideEffects: [] },
      commitPolicy: "allowed",
      phaseEvidence: null,
      reason,
      at: end.at
    })
    yield* closeAttempt(attempt, result, end)
    const copy = yield* findCopy(attempt, result, end.by)
    if (copy !== undefined) yield* Effect.either(commitCopy(copy))
  })
