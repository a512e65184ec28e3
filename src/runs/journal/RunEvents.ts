import { Context, Effect, Layer } from "effect"
import type { TaskNotFound } from "../../board/tasks/Errors.ts"
import { requireTask } from "../../board/tasks/Units.ts"
import * as Log from "../../storage/Log.ts"
import { Storage } from "../../storage/Storage.ts"
import type { AttemptMismatch } from "../attempts/Errors.ts"
import { requireUnaltered } from "../attempts/Units.ts"
import * as JournalRepo from "./JournalRepo.ts"
import { spelling, streamOf } from "./RunStream.ts"

/** Which events of an attempt, as a query asks for them. */
export interface RunEventQuery {
  readonly taskId: string
  readonly attemptId: string
  readonly afterSequence: number
  readonly limit: number
}

/** What runs said and did, for those who read it again. */
export interface RunEventsService {
  /** A page of the events of an attempt, as the JSON of a run-event-page/v1. */
  readonly page: (query: RunEventQuery) => Effect.Effect<string, TaskNotFound | AttemptMismatch>
}

const spell = (
  { afterSequence, attemptId, taskId }: RunEventQuery,
  { entries, gap, head }: Log.Page,
  spellEvent: (entry: Log.Entry) => string
): string => {
  const nextCursor = entries.at(-1)?.sequence ?? Math.max(afterSequence, gap?.to ?? 0)
  const rest = JSON.stringify({
    schemaVersion: "run-event-page/v1",
    taskId,
    attemptId,
    nextCursor,
    hasMore: nextCursor < head,
    ...(gap === undefined ? {} : { gap })
  })
  return `${rest.slice(0, -1)},"events":[${entries.map(spellEvent).join(",")}]}`
}

export class RunEvents extends Context.Tag("muster/RunEvents")<RunEvents, RunEventsService>() {
  static readonly layer = Layer.effect(
    RunEvents,
    Effect.map(Storage, (storage) =>
      RunEvents.of({
        page: Effect.fn("RunEvents.page")(function* (query) {
          const { afterSequence, attemptId, limit, taskId } = query
          return yield* storage.read(
            Effect.gen(function* () {
              yield* requireTask(taskId)
              yield* requireUnaltered(taskId, attemptId)
              const journal = yield* JournalRepo.find(attemptId)
              if (journal === undefined) return spell(query, { entries: [], head: 0 }, () => "")
              const page = yield* Log.after(streamOf(attemptId), afterSequence, limit)
              return spell(query, page, spelling(journal))
            })
          )
        })
      })
    )
  )
}
