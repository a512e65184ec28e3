import { Effect, Either, Schema, Stream } from "effect"
import { Client } from "../../client/Client.ts"
import { type Failure, Refused } from "../../client/Failure.ts"
import { RunEventsApi } from "../../runs/journal/Api.ts"
import { RunEvent } from "../../runs/journal/RunEvent.ts"
import { attemptReader, type Followed } from "./AttemptReader.ts"
import type { LiveMessage } from "./Message.ts"
import { messages } from "./Stream.ts"

/** What happens while a run is followed. */
export interface Follower<A> {
  readonly event: (event: RunEvent) => Effect.Effect<void>
  /** Events that are no longer kept, the first and the last of them. */
  readonly gap: (gap: { readonly from: number; readonly to: number }) => Effect.Effect<void>
  readonly onBreak: (reason: string) => Effect.Effect<void>
  /** How the run ended; undefined while it goes on. */
  readonly end: Effect.Effect<A | undefined, Failure, Client>
}

const decodeEvent = Schema.decodeUnknownEither(RunEvent)
const decodeGap = Schema.decodeUnknownEither(Schema.Struct({ from: Schema.Int, to: Schema.Int }))

const statuses: Readonly<Record<string, number>> = { NOT_FOUND: 404, PERMISSION_DENIED: 403, CONFLICT: 409 }

/** The server's refusal to let somebody follow, as that of any other request. */
const refused = ({ body }: LiveMessage): Refused => {
  const [code, reason] = [String(body["code"]), String(body["message"])]
  const envelope = { error: reason, code, details: {} }
  return new Refused({ status: statuses[code] ?? 400, code, reason, details: {}, body: envelope })
}

/** How many events are asked for at once. */
const pageSize = 500

/**
 * Tells the events of an attempt as they come, each once, until it is over and all of them were told. That it is over
 * shows when its task changes: a run's end is a change of its task in the same unit.
 */
export const followAttempt = <A>(
  followed: Followed,
  { end, event, gap, onBreak }: Follower<A>
): Effect.Effect<A, Failure, Client> =>
  Effect.gen(function* () {
    const { call, settings } = yield* Client
    const { attemptId, taskId } = followed
    let cursor = followed.afterSequence
    let ended: A | undefined

    const told = (one: RunEvent) => {
      if (one.sequence <= cursor) return Effect.void
      cursor = one.sequence
      return event(one)
    }

    const take = (message: LiveMessage): Effect.Effect<boolean, Failure, Client> => {
      const { body, type } = message
      const isOver = Effect.map(end, (found) => {
        ended = found
        return found !== undefined
      })
      switch (type) {
        case "agent:event":
          return Either.match(decodeEvent(body["data"]), {
            onLeft: () => Effect.succeed(false),
            onRight: (one) => Effect.as(one.attemptId === attemptId ? told(one) : Effect.void, false)
          })
        case "agent:gap":
          return Either.match(decodeGap(body), {
            onLeft: () => Effect.succeed(false),
            onRight: (lost) => Effect.as(gap(lost), false)
          })
        case "error":
          return Effect.fail(refused(message))
        case "subscribed":
          return isOver
        case "task:event":
        case "task:deleted":
          return body["taskId"] === taskId ? isOver : Effect.succeed(false)
        default:
          return Effect.succeed(false)
      }
    }

    yield* messages(settings, onBreak, attemptReader(followed)).pipe(
      Stream.mapEffect(take),
      Stream.takeUntil((isOver) => isOver),
      Stream.runDrain
    )
    if (ended === undefined) return yield* Effect.dieMessage("The stream ended before the run")

    let more = true
    while (more) {
      const urlParams = { afterSequence: cursor, limit: pageSize }
      const page = yield* call(RunEventsApi, ({ runEvents }) =>
        runEvents.list({ path: { taskId, attemptId }, urlParams })
      )
      yield* Effect.forEach(page.events, told, { discard: true })
      more = page.hasMore
      cursor = Math.max(cursor, page.nextCursor)
    }
    return ended
  })
