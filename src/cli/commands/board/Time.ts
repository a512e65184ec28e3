import * as Command from "@effect/cli/Command"
import { Effect } from "effect"
import { TasksApi } from "../../../board/tasks/Api.ts"
import type { Task } from "../../../board/tasks/Task.ts"
import { Client } from "../../../client/Client.ts"
import { duration } from "../../../client/Duration.ts"
import { oneLine } from "../../../kernel/Foreign.ts"
import { ask } from "../../Answer.ts"
import { id, json } from "../../Parts.ts"
import type { Paint } from "../../text/Paint.ts"
import { taskName } from "../../text/TaskText.ts"

/** The time spent on a task, an entry a line. */
export const timeText = (task: Task, paint: Paint): string => {
  const { entries, isRunning, totalMs } = task.timeTracking
  const lines = entries.map(({ description, durationMs, endTime, manual, startTime }) => {
    const how = endTime === undefined ? paint.cyan("running") : duration(durationMs)
    const what = description === undefined ? (manual ? "added by hand" : "") : oneLine(description)
    return `  ${paint.dim(startTime)}  ${how}  ${what}`.trimEnd()
  })
  const total = entries.length === 0 ? "no time yet" : duration(totalMs)
  return [
    taskName(task, paint),
    ...lines,
    `${paint.bold("Total:")} ${total}${isRunning ? ", and the timer is running" : ""}`
  ].join("\n")
}

const show = Command.make("show", { id, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const task = yield* call(TasksApi, ({ tasks }) => tasks.get({ path: { id: given.id } }))
      return {
        json: { taskId: task.id, ...task.timeTracking },
        text: (paint) => timeText(task, paint)
      }
    })
  )
).pipe(Command.withDescription("Show the time spent on a task."))

export const time = Command.make("time").pipe(Command.withSubcommands([show]))
