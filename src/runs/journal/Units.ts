import { Effect } from "effect"
import type { TaskRemoval } from "../../board/tasks/TaskRemoval.ts"
import * as Log from "../../storage/Log.ts"
import { moves, type Sql } from "../../storage/Sql.ts"
import { forgetArtifacts } from "../artifacts/Units.ts"
import * as JournalRepo from "./JournalRepo.ts"
import { type Journal, streamOf } from "./RunStream.ts"

/** What the journals of a task are called by those who wait for the next one. */
export const journalsOf = (taskId: string): string => `journals:${taskId}`

/**
 * Opens the journal of an attempt, in the unit that launches it: from here on `RunJournals` takes what it says. Whoever
 * follows the task hears of this attempt next.
 */
export const openJournal = (journal: Journal): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(JournalRepo.open(journal), moves(journalsOf(journal.taskId)))

/** The newest event of an attempt: its sequence, 0 when there was none, and when it came, if it is kept. */
export const newestEvent = (
  attemptId: string
): Effect.Effect<{ readonly sequence: number; readonly at: number | undefined }, never, Sql> =>
  Effect.zipWith(Log.headOf(streamOf(attemptId)), Log.newestAt(streamOf(attemptId)), (sequence, at) => ({
    sequence,
    at
  }))

/** What runs at a task said goes with it, and what they put out. */
export const taskRemoval: TaskRemoval = {
  forget: (taskId) =>
    Effect.gen(function* () {
      for (const { attemptId } of yield* JournalRepo.forget(taskId)) yield* Log.forget(streamOf(attemptId))
      yield* forgetArtifacts(taskId)
    })
}
