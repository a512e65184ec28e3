import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, FastCheck as fc, Layer } from "effect"
import { TaskEventFacts } from "../../../src/board/context/TaskEventFacts.ts"
import { StatusRules } from "../../../src/board/tasks/StatusRules.ts"
import { type StoredTask, TaskStatus } from "../../../src/board/tasks/Task.ts"
import { TaskRemovals } from "../../../src/board/tasks/TaskRemoval.ts"
import { Tasks } from "../../../src/board/tasks/Tasks.ts"
import { Analytics } from "../../../src/insight/analytics/Analytics.ts"
import { dateOf, dayOf } from "../../../src/insight/analytics/Period.ts"
import { unconditional } from "../../../src/kernel/Revision.ts"
import { now } from "../../../src/kernel/Time.ts"
import { Workers } from "../../../src/kernel/Worker.ts"
import { sweep } from "../../../src/storage/retention/Sweep.ts"
import { tester } from "../../support/Journal.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { storage } from "../../support/TestStorage.ts"

/** Tasks without gates, about which nothing else is kept. */
const noRules = Layer.succeed(StatusRules, {
  admit: () => Effect.void,
  automate: ({ task }) => Effect.succeed(task)
})
const nothingKept = Layer.succeed(TaskRemovals, [])
const board = Layer.mergeAll(Tasks.layer.pipe(Layer.provide([noRules, nothingKept])), Analytics.layer).pipe(
  Layer.provide(TaskEventFacts),
  Layer.provide(Workers.layer),
  Layer.provideMerge(storage)
)

type Doing = "create" | "change" | "archive" | "restore" | "remove"

const Step = fc.record({
  hours: fc.nat(60),
  task: fc.nat(20),
  status: fc.constantFrom<TaskStatus>(...TaskStatus.literals, "in-progress", "done"),
  does: fc.constantFrom<Doing>("create", "change", "change", "change", "archive", "restore", "remove")
})
type Step = typeof Step extends fc.Arbitrary<infer A> ? A : never

const every = Effect.gen(function* () {
  const tasks = yield* Tasks
  const lists = yield* Effect.all([tasks.list({}), tasks.list({ archived: "true" })])
  return lists.flatMap(({ json }): ReadonlyArray<StoredTask> => JSON.parse(json).tasks)
})

/** Does a step, which the board may refuse, and gives the task that it took away for good. */
const perform = (step: Step) =>
  Effect.gen(function* () {
    const tasks = yield* Tasks
    if (step.does === "create") {
      yield* tasks.create({ title: "A task", status: step.status }, tester)
      return []
    }
    const all = yield* every
    const task = all[step.task % all.length]
    if (task === undefined) return []
    switch (step.does) {
      case "change":
        yield* Effect.ignore(tasks.patch(task.id, { status: step.status }, unconditional, tester))
        return []
      case "remove":
        yield* tasks.remove(task.id, unconditional, tester)
        return [task]
      default:
        yield* Effect.ignore(tasks[step.does](task.id, unconditional, tester))
        return []
    }
  })

/** When the work on a task began: when it was in progress for the first time, else when it was created. */
const beganAt = ({ createdAt, status, statusHistory }: StoredTask): number => {
  const first = statusHistory[0]?.from ?? status
  const begin = first === "in-progress" ? undefined : statusHistory.find(({ to }) => to === "in-progress")
  return Date.parse(begin?.at ?? createdAt)
}

/** The completions of tasks that are done: when, and how long they took. */
const completionsOf = (tasks: ReadonlyArray<StoredTask>) =>
  tasks
    .filter(({ status }) => status === "done")
    .map((task) => {
      const at = task.statusHistory.findLast(({ to }) => to === "done")?.at
      return { day: dayOf(Date.parse(at ?? task.createdAt)), ms: at && Date.parse(at) - beganAt(task) }
    })

const medianOf = (times: ReadonlyArray<number>): number | null => {
  const sorted = [...times].sort((one, other) => one - other)
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2)
}

/** What analytics has to say, from the documents of the tasks that there are and of those that there were. */
const recomputed = (present: ReadonlyArray<StoredTask>, gone: ReadonlyArray<StoredTask>, at: number) => {
  const [first, last] = [dayOf(at) - 29, dayOf(at)]
  const all = [...present, ...gone]
  const within = completionsOf(all).filter(({ day }) => day >= first)
  const times = within.flatMap(({ ms }) => (typeof ms === "number" ? [ms] : []))
  const begun = present.filter(({ archived }) => !archived)
  const wip = begun.filter(({ status }) => status === "in-progress").length
  const blocked = begun.filter(({ status }) => status === "blocked").length
  const stale = begun.filter(
    ({ status, updatedAt }) =>
      (status === "in-progress" || status === "blocked") && Date.parse(updatedAt) < at - 7 * 86_400_000
  ).length
  return {
    points: Arr.range(first, last).map((day) => ({
      date: dateOf(day),
      completed: within.filter((completion) => completion.day === day).length,
      created: all.filter(({ createdAt }) => dayOf(Date.parse(createdAt)) === day).length
    })),
    throughput: within.length,
    averageMs: times.length === 0 ? null : Math.round(times.reduce((sum, ms) => sum + ms, 0) / times.length),
    medianMs: medianOf(times),
    now: { wip, blocked, stale }
  }
}

const reported = Effect.gen(function* () {
  const analytics = yield* Analytics
  const { points } = yield* analytics.timeline({})
  const { cycleTime, throughput } = yield* analytics.metrics({})
  const { blocked, stale, wip } = yield* analytics.health
  return { points, throughput, ...cycleTime, now: { wip, blocked, stale } }
})

describe("the model of the board", () => {
  it("says what its tasks say, whatever happened to them and whichever old events are forgotten", () =>
    fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 10, maxLength: 60, size: "max" }), (steps) => {
        const clock = steppedClock()
        return Effect.gen(function* () {
          const gone: Array<StoredTask> = []
          yield* clock.step("400 days")
          for (const [index, step] of steps.entries()) {
            yield* clock.step(`${step.hours} hours`)
            gone.push(...(yield* perform(step)))
            if (index % 10 === 0 || index === steps.length - 1) {
              assert.deepStrictEqual(yield* reported, recomputed(yield* every, gone, yield* now))
              yield* sweep([], { events: { days: 1, count: 1 } })
            }
          }
        }).pipe(Effect.provide(Layer.provide(board, clock.layer)), Effect.scoped, Effect.runPromise)
      }),
      { numRuns: 12 }
    ))
})
