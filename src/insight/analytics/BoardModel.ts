import { Effect } from "effect"
import type { Projection } from "../../storage/Projection.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as AnalyticsRepo from "./AnalyticsRepo.ts"
import { dayOf } from "./Period.ts"
import type { TaskFact, TaskFacts } from "./TaskFacts.ts"

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

/**
 * What analytics reads. Reads bring it up to date themselves, so between them it lets events gather for long. On a board
 * that was there before it, it is made from the first event on.
 */
export const boardModel = ({ of }: typeof TaskFacts.Service): Projection => ({
  name: "analytics",
  gather: "400 millis",
  apply: (event) => {
    const fact = of(event)
    return fact === undefined ? Effect.void : takeIn(fact, event.createdAt)
  }
})
