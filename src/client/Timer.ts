import { Effect } from "effect"
import { TasksApi } from "../board/tasks/Api.ts"
import type { Task } from "../board/tasks/Task.ts"
import { TimeApi } from "../board/time/Api.ts"
import { Client } from "./Client.ts"
import { type Failure, Refused } from "./Failure.ts"

/**
 * Starts or stops the timer of a task. A timer that is already in that state is fine (spec decisions, Q29): the server
 * may have started it itself with the status. Gives the task as it is afterwards.
 */
const setTimer = (id: string, running: boolean): Effect.Effect<Task, Failure, Client> =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const request = { path: { id }, headers: {} }
    const turn = running
      ? call(TimeApi, ({ time }) => time.start(request))
      : call(TimeApi, ({ time }) => time.stop(request))
    const asItIs = (refused: Refused) =>
      Effect.filterOrFail(
        call(TasksApi, ({ tasks }) => tasks.get({ path: { id } })),
        (task) => task.timeTracking.isRunning === running,
        () => refused
      )
    return yield* Effect.catchIf(turn, isConflict, asItIs)
  })

const isConflict = (failure: Failure): failure is Refused =>
  failure instanceof Refused && failure.status === 409

export const startTimer = (id: string) => setTimer(id, true)
export const stopTimer = (id: string) => setTimer(id, false)
