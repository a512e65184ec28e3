import { Effect, Schema } from "effect"
import type { AttemptFollowed, AttemptFollowing } from "../../board/tasks/AttemptFollowing.ts"
import { parseStored } from "../../kernel/Json.ts"
import { type Message, type Pages, SubscriptionRefused } from "../../storage/events/Subscription.ts"
import * as Log from "../../storage/Log.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import type { AttemptMismatch } from "../attempts/Errors.ts"
import { activeOf, latestOf, requireUnaltered } from "../attempts/Units.ts"
import * as JournalRepo from "./JournalRepo.ts"
import type { RunEvent } from "./RunEvent.ts"
import { spelling, streamOf } from "./RunStream.ts"
import { journalsOf } from "./Units.ts"

/** How many events are read in one go: each may have 16 KiB, and a slow reader keeps a page in memory. */
const pageSize = 64

/** An output, also when it is too long for its event. */
const Said = Schema.Union(
  Schema.Struct({ stream: Schema.String, text: Schema.String }),
  Schema.Struct({ stream: Schema.String, preview: Schema.Struct({ text: Schema.String }) })
)

const decodeSaid = Schema.decodeUnknownOption(Said)

/** `agent:output`: what earlier clients know of an output (spec 1-core, Events). */
const outputMessages = ({ attemptId, kind, payload, receivedAt, sequence, taskId }: RunEvent) => {
  if (kind !== "output") return []
  const said = decodeSaid(payload)
  if (said._tag === "None") return []
  const content = "text" in said.value ? said.value.text : said.value.preview.text
  const outputType = said.value.stream
  return [{ type: "agent:output", taskId, attemptId, outputType, content, sequence, timestamp: receivedAt }]
}

/** `agent:event`, and `agent:output` for an output. */
const messagesOf = (json: string): ReadonlyArray<Message> => {
  const data = parseStored<RunEvent>(json)
  const { attemptId, receivedAt, taskId } = data
  return [{ type: "agent:event", taskId, attemptId, data, timestamp: receivedAt }, ...outputMessages(data)]
}

/** The attempt that is followed when nobody names one. */
const currentOf = (taskId: string): Effect.Effect<Attempt | undefined, never, Sql> =>
  Effect.flatMap(activeOf(taskId), (active) =>
    active === undefined ? latestOf(taskId) : Effect.succeed(active)
  )

const refusals: Partial<Record<AttemptMismatch["reason"], SubscriptionRefused>> = {
  altered: new SubscriptionRefused({
    code: "CONFLICT",
    message: "What this attempt was launched with is not what is stored"
  })
}

const noAttempt = new SubscriptionRefused({ code: "NOT_FOUND", message: "The task has no such attempt" })

/** Where somebody stands who follows a task: at an attempt and a sequence of it; `named` when they asked for that one. */
interface Place {
  readonly taskId: string
  readonly attemptId: string | null
  readonly named: boolean
}

const streamsOf = ({ attemptId, named, taskId }: Place): ReadonlyArray<string> => [
  ...(attemptId === null ? [] : [Log.nameOf(streamOf(attemptId))]),
  ...(named ? [] : [journalsOf(taskId)])
]

/**
 * The events of an attempt from behind a sequence. Where nobody named it, the task's next attempt follows once this one
 * has nothing more to tell.
 */
const pagesFrom = (place: Place, cursor: number, streams = streamsOf(place)): Pages => ({
  _tag: "Pages",
  streams,
  read: Effect.gen(function* () {
    const { attemptId, named, taskId } = place
    const journal = attemptId === null ? undefined : yield* JournalRepo.find(attemptId)
    if (journal !== undefined) {
      const { entries, gap } = yield* Log.after(streamOf(journal.attemptId), cursor, pageSize)
      const last = entries.at(-1)?.sequence
      if (last !== undefined) {
        const lost: ReadonlyArray<Message> =
          gap === undefined ? [] : [{ type: "agent:gap", taskId, attemptId, ...gap }]
        const told = entries.map(spelling(journal)).flatMap(messagesOf)
        return { messages: [...lost, ...told], next: pagesFrom(place, last, streams) }
      }
    }
    if (named) return undefined
    const current = yield* currentOf(taskId)
    return current === undefined || current.id === attemptId
      ? undefined
      : { messages: [], next: pagesFrom({ ...place, attemptId: current.id }, 0) }
  })
})

/**
 * What somebody hears of attempts who follows a task. It needs agent:read, as the events of a run do elsewhere: without it
 * the task alone is told.
 */
export const attemptFollowing: AttemptFollowing = {
  begin: ({ afterSequence, attemptId: named, taskId }, by) =>
    Effect.gen(function* () {
      if (!by.permissions.has("agent:read")) {
        return yield* named === undefined ? Effect.succeed(nothing) : denied
      }
      const attemptId = named ?? (yield* currentOf(taskId))?.id ?? null
      if (attemptId !== null) {
        yield* Effect.mapError(
          requireUnaltered(taskId, attemptId),
          ({ reason }) => refusals[reason] ?? noAttempt
        )
      }
      const cursor = attemptId === null ? 0 : yield* Log.headOf(streamOf(attemptId))
      // Who names no attempt may have heard of an earlier one, which had said more: this one is told from its beginning.
      const after = named === undefined && afterSequence > cursor ? 0 : afterSequence
      const pages = [pagesFrom({ taskId, attemptId, named: named !== undefined }, after)]
      return { attemptId, cursor, pages }
    })
}

const nothing: AttemptFollowed = { attemptId: null, cursor: 0, pages: [] }

const denied = new SubscriptionRefused({
  code: "PERMISSION_DENIED",
  message: "The events of an attempt need the permission agent:read"
})
