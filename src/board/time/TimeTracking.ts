import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import type { Precondition, Revised } from "../../kernel/Revision.ts"
import { Storage } from "../../storage/Storage.ts"
import { TaskFull } from "../tasks/Errors.ts"
import type { StoredTask } from "../tasks/Task.ts"
import * as Timer from "../tasks/Timer.ts"
import { edit, timeByTask, type WriteRefused } from "../tasks/Units.ts"
import { TimeEntryNotFound, TimerRunning, TimerStopped } from "./Errors.ts"
import { TimeAdded, TimeRemoved, TimerBegun, TimerEnded } from "./Events.ts"
import type { TimeEntryDraft, TimeSummary } from "./Time.ts"

type Refused = WriteRefused | TaskFull

/** The time that is spent on tasks. It is part of the task: every change raises the task's revision. */
export interface TimeTrackingService {
  readonly summary: Effect.Effect<typeof TimeSummary.Type>
  readonly start: (
    id: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, Refused | TimerRunning>
  readonly stop: (
    id: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, Refused | TimerStopped>
  readonly addEntry: (
    id: string,
    entry: typeof TimeEntryDraft.Type,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, Refused>
  readonly removeEntry: (
    id: string,
    entryId: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<void, Refused | TimeEntryNotFound | TimerRunning>
}

export class TimeTracking extends Context.Tag("muster/TimeTracking")<TimeTracking, TimeTrackingService>() {
  static readonly layer = Layer.effect(
    TimeTracking,
    Effect.map(Storage, (storage) =>
      TimeTracking.of({
        summary: Effect.map(storage.read(timeByTask), summarize),
        start: Effect.fn("TimeTracking.start")((id, precondition, by) =>
          storage.write(
            edit(
              id,
              { operation: "time", by, precondition },
              (changed) => new TimerBegun(changed),
              (task, at) =>
                Effect.gen(function* () {
                  const { activeEntryId } = task.timeTracking
                  if (activeEntryId !== undefined)
                    return yield* new TimerRunning({ taskId: id, entryId: activeEntryId })
                  yield* refuseFull(task)
                  return withTime(task, Timer.start(task.timeTracking, yield* newId("time"), at))
                })
            )
          )
        ),
        stop: Effect.fn("TimeTracking.stop")((id, precondition, by) =>
          storage.write(
            edit(
              id,
              { operation: "time", by, precondition },
              (changed) => new TimerEnded(changed),
              (task, at) =>
                task.timeTracking.isRunning
                  ? Effect.succeed(withTime(task, Timer.stop(task.timeTracking, at)))
                  : Effect.fail(new TimerStopped({ taskId: id }))
            )
          )
        ),
        addEntry: Effect.fn("TimeTracking.addEntry")((id, entry, precondition, by) =>
          storage.write(
            edit(
              id,
              { operation: "time", by, precondition },
              (changed) => new TimeAdded(changed),
              (task, at) =>
                Effect.gen(function* () {
                  yield* refuseFull(task)
                  const added = { id: yield* newId("time"), ...entry }
                  return withTime(task, Timer.add(task.timeTracking, added, at))
                })
            )
          )
        ),
        removeEntry: Effect.fn("TimeTracking.removeEntry")((id, entryId, precondition, by) =>
          Effect.asVoid(
            storage.write(
              edit(
                id,
                { operation: "time", by, precondition },
                (changed) => new TimeRemoved(changed),
                (task) =>
                  Effect.gen(function* () {
                    const { activeEntryId, entries } = task.timeTracking
                    if (activeEntryId === entryId) return yield* new TimerRunning({ taskId: id, entryId })
                    if (!entries.some((entry) => entry.id === entryId)) {
                      return yield* new TimeEntryNotFound({ taskId: id, entryId })
                    }
                    return withTime(task, Timer.remove(task.timeTracking, entryId))
                  })
              )
            )
          )
        )
      })
    )
  )
}

const withTime = (task: StoredTask, timeTracking: StoredTask["timeTracking"]): StoredTask => ({
  ...task,
  timeTracking
})

const refuseFull = (task: StoredTask): Effect.Effect<void, TaskFull> =>
  task.timeTracking.entries.length < Timer.entryLimit
    ? Effect.void
    : Effect.fail(new TaskFull({ taskId: task.id, field: "timeTracking.entries", limit: Timer.entryLimit }))

const byTaskLimit = 1_000

/** Adds the times of tasks up, by task and by project. */
export const summarize = (tasks: Effect.Effect.Success<typeof timeByTask>): typeof TimeSummary.Type => {
  const projects = new Map<string | null, number>()
  let totalMs = 0
  for (const task of tasks) {
    totalMs += task.totalMs
    projects.set(task.project, (projects.get(task.project) ?? 0) + task.totalMs)
  }
  return {
    totalMs,
    byTask: tasks.slice(0, byTaskLimit),
    byProject: [...projects].map(([project, sum]) => ({ project, totalMs: sum })),
    runningTasks: tasks.filter((task) => task.isRunning).slice(0, byTaskLimit)
  }
}
