import { Effect } from "effect"
import type { Projection } from "../../storage/events/Projection.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as AnalyticsRepo from "./AnalyticsRepo.ts"
import { dayOf } from "./Period.ts"
import type { TaskFact, TaskFactsService } from "./TaskFacts.ts"

const takeIn = (fact: TaskFact, at: number): Effect.Effect<void, never, Sql> => {
  const { taskId } = fact
  switch (fact._tag) {
    case "Arrived":
      return Effect.gen(function* () {
        const row = yield* AnalyticsRepo.insertTask(taskId, fact.status, at)
        yield* AnalyticsRepo.countArrival(dayOf(at))
        // What an import brings as done was completed elsewhere, and some other day.
        if (fact.status === "done" && !fact.imported) {
          yield* AnalyticsRepo.completeOnArrival(row, dayOf(at))
        }
      })
    case "Changed":
      return Effect.zipRight(
        AnalyticsRepo.setStatus(taskId, fact.status, at),
        fact.status === "done" ? AnalyticsRepo.complete(taskId, dayOf(at), at) : AnalyticsRepo.reopen(taskId)
      )
    case "Archived":
      return AnalyticsRepo.setArchived(taskId, fact.archived, at)
    case "Renamed":
      return AnalyticsRepo.rename(fact.from, taskId, at)
    case "Deleted":
      return AnalyticsRepo.remove(taskId)
    case "Touched":
      return AnalyticsRepo.touch(taskId, at)
  }
}

/** Learns from a task itself what happened to it before an event, when nobody told: those events are no longer kept. */
const remember = ({ remembered }: TaskFactsService, taskId: string, until: number) =>
  Effect.gen(function* () {
    if (yield* AnalyticsRepo.knows(taskId)) return
    for (const { at, fact } of yield* remembered(taskId, until)) yield* takeIn(fact, at)
  })

/**
 * What analytics reads. Reads bring it up to date themselves, so between them it lets events gather for long. On a board
 * that was there before it, it is made from the first event that is kept and, for what was before that, from the tasks
 * that there are: those deleted by then are not counted. Each task has an event left to be remembered by.
 */
export const boardModel = (facts: TaskFactsService): Projection => ({
  name: "analytics",
  gather: "400 millis",
  apply: (event) => {
    const fact = facts.of(event)
    if (fact === undefined) return Effect.void
    const taken = takeIn(fact, event.createdAt)
    return fact._tag === "Arrived" || event.streamSeq === 1
      ? taken
      : Effect.zipRight(remember(facts, fact.taskId, event.createdAt), taken)
  }
})
