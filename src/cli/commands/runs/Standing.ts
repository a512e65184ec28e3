import * as Command from "@effect/cli/Command"
import { Effect } from "effect"
import { Blocked, ExitCode } from "../../../client/Failure.ts"
import { type Answer, ask } from "../../Answer.ts"
import { id, json } from "../../Parts.ts"
import { resultText } from "../../text/EvidenceText.ts"
import { standingText } from "../../text/RunText.ts"
import { attempt, noRun, statusOf } from "./CurrentAttempt.ts"

/*
 * Where a run stands, and what came of it.
 */

export const runStatus = Command.make("status", { id, attempt, json }, (given) =>
  ask(
    given.json,
    Effect.map(
      statusOf(given.id, given.attempt),
      (status): Answer => ({ json: status, text: (paint) => standingText(status, given.attempt, paint) })
    )
  )
).pipe(Command.withDescription("Show where the work of agents on a task stands."))

/** Whether somebody who waited for a run got what they waited for. */
export const exitCodeOf = (status: string): ExitCode =>
  status === "success" ? ExitCode.ok : ExitCode.unexpected

export const runResult = Command.make("result", { id, attempt, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const status = yield* statusOf(given.id, given.attempt)
      const { attemptId, completionResult } = status
      if (completionResult === undefined) {
        return yield* attemptId === null
          ? noRun(given.id)
          : new Blocked({
              reason: `Attempt ${attemptId} is ${status.status}: it has no result yet`,
              remedy: `muster run log ${given.id} --follow watches it to its end.`
            })
      }
      const answer: Answer = {
        json: completionResult,
        text: (paint) => resultText(completionResult, status, paint),
        exitCode: exitCodeOf(completionResult.status)
      }
      return answer
    })
  )
).pipe(Command.withDescription("Show what a run claimed, what was seen, and what counts."))
