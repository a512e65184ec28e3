import { Effect } from "effect"
import * as Telemetry from "../../insight/telemetry/Units.ts"
import { newId } from "../../kernel/Ids.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as Squad from "../squad/Units.ts"
import { AutoTelemetryFailed, AutoTimeTrackingFailed } from "../tasks/Errors.ts"
import type { StatusChange } from "../tasks/StatusRules.ts"
import type { StoredTask, TaskStatus } from "../tasks/Task.ts"
import * as Timer from "../tasks/Timer.ts"

/** The statuses whose arrival is told to the squad. */
const told: ReadonlySet<TaskStatus> = new Set<TaskStatus>(["in-progress", "blocked", "done", "cancelled"])

/** The statuses in which nobody works on a task. */
const resting: ReadonlySet<TaskStatus> = new Set<TaskStatus>(["blocked", "done", "cancelled"])

/** autoTimeTracking: the timer runs while the task is in progress. One that runs, or stands still, already is fine. */
export const keepTime = ({
  at,
  task,
  to
}: StatusChange): Effect.Effect<StoredTask, AutoTimeTrackingFailed> => {
  const { timeTracking } = task
  if (resting.has(to)) {
    return Effect.succeed(
      timeTracking.isRunning ? { ...task, timeTracking: Timer.stop(timeTracking, at) } : task
    )
  }
  if (to !== "in-progress" || timeTracking.isRunning) return Effect.succeed(task)
  return timeTracking.entries.length >= Timer.entryLimit
    ? Effect.fail(new AutoTimeTrackingFailed({ taskId: task.id }))
    : Effect.map(newId("time"), (id) => ({ ...task, timeTracking: Timer.start(timeTracking, id, at) }))
}

/**
 * autoTelemetry: work that begins emits `run.started`, work that ends `run.completed`. A task with an attempt emits each
 * of them once for that attempt, so that a run which reports by itself does not count twice.
 */
export const emitTelemetry = (change: StatusChange): Effect.Effect<void, AutoTelemetryFailed, Sql> =>
  runEvent(change).pipe(
    Effect.catchAllCause((cause) =>
      Effect.zipRight(
        Effect.logError("The telemetry of a status change could not be stored", cause),
        new AutoTelemetryFailed({ taskId: change.task.id })
      )
    )
  )

const runEvent = ({ agent, at, by, task, to }: StatusChange): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const run = { taskId: task.id, agent }
    const attemptId = task.attempt?.["id"]
    const identity = (event: "started" | "completed") =>
      typeof attemptId === "string" ? Telemetry.attemptIdentity(task.id, attemptId, event) : undefined
    if (to === "in-progress") {
      yield* Telemetry.record({ type: "run.started", ...run }, by, identity("started"))
    } else if (to === "done" || to === "cancelled") {
      const startedAt = yield* Telemetry.lastRunStarted(task.id)
      const durationMs = startedAt === undefined ? 0 : Math.max(0, at - startedAt)
      const completed = { type: "run.completed" as const, ...run, durationMs, success: to === "done" }
      yield* Telemetry.record(completed, by, identity("completed"))
    }
  })

/** squadChat: the squad hears of work that begins, stops, ends or is given up. */
export const tellSquad = ({ agent, by, task, to }: StatusChange): Effect.Effect<void, never, Sql> =>
  told.has(to)
    ? Squad.post(
        {
          agent,
          message: `${task.title} (${task.id}) is now ${to}`,
          taskId: task.id,
          tags: ["lifecycle"]
        },
        by
        // The task is the one that is changing, and the message answers no other.
      ).pipe(Effect.orDie, Effect.asVoid)
    : Effect.void
