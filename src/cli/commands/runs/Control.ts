import * as Command from "@effect/cli/Command"
import { Duration, Effect } from "effect"
import { Client } from "../../../client/Client.ts"
import { ControlApi } from "../../../runs/control/Api.ts"
import { ask } from "../../Answer.ts"
import { id, json, words } from "../../Parts.ts"
import { messageText, stoppedText } from "../../text/RunText.ts"
import { attempt, attemptOf } from "./CurrentAttempt.ts"

/*
 * What is done to a run from outside: stop it, say something to it.
 */

export const stopRun = Command.make("stop", { id, attempt, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const attemptId = yield* attemptOf(given.id, given.attempt)
      const stopped = yield* call(
        ControlApi,
        ({ control }) => control.stop({ path: { taskId: given.id }, payload: { attemptId } }),
        Duration.minutes(1)
      )
      return { json: stopped, text: (paint) => stoppedText(stopped, paint) }
    })
  )
).pipe(Command.withDescription("End a run with all of its processes, or take it out of the queue."))

export const messageRun = Command.make(
  "message",
  { id, text: words("TEXT", "What to say; no quotes needed"), attempt, json },
  (given) =>
    ask(
      given.json,
      Effect.gen(function* () {
        const { call } = yield* Client
        const attemptId = yield* attemptOf(given.id, given.attempt)
        const payload = { attemptId, message: given.text }
        const taken = yield* call(ControlApi, ({ control }) =>
          control.message({ path: { taskId: given.id }, payload })
        )
        return { json: taken, text: (paint) => messageText(taken, paint) }
      })
    )
).pipe(Command.withDescription("Say something to a run, and whether it was delivered."))
