import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { Client } from "../../../client/Client.ts"
import { ExitCode, type Failure } from "../../../client/Failure.ts"
import { oneLine, printableJson } from "../../../kernel/Foreign.ts"
import { integer } from "../../../kernel/Text.ts"
import type { AttemptStatus } from "../../../runs/attempts/AttemptStatus.ts"
import { RunEventsApi } from "../../../runs/journal/Api.ts"
import type { RunEvent } from "../../../runs/journal/RunEvent.ts"
import { type Answer, ask, Exit, orTold } from "../../Answer.ts"
import { followAttempt } from "../../live/FollowAttempt.ts"
import { Output } from "../../Output.ts"
import { id, json, limitUpTo, optionOf } from "../../Parts.ts"
import { paint } from "../../text/Paint.ts"
import { gapText, runEventText } from "../../text/RunEventText.ts"
import { resultHint, runState } from "../../text/RunText.ts"
import { attempt, attemptOf, statusOf } from "./CurrentAttempt.ts"
import { exitCodeOf } from "./Standing.ts"

/*
 * What a run said and did: what there is of it, or all of it until it ends.
 */

interface Place {
  readonly taskId: string
  readonly attemptId: string
  readonly afterSequence: number
}

/** The events behind a sequence, at most so many. */
const eventsOf = ({ afterSequence, attemptId, taskId }: Place, limit: number) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const path = { taskId, attemptId }
    const pageAfter = (cursor: number, room: number) =>
      call(RunEventsApi, ({ runEvents }) =>
        runEvents.list({ path, urlParams: { afterSequence: cursor, limit: Math.min(500, room) } })
      )
    const first = yield* pageAfter(afterSequence, limit)
    const events: Array<RunEvent> = [...first.events]
    let last = first
    while (last.hasMore && events.length < limit) {
      last = yield* pageAfter(last.nextCursor, limit - events.length)
      events.push(...last.events)
    }
    return { ...first, events, nextCursor: last.nextCursor, hasMore: last.hasMore }
  })

const listed = (place: Place, limit: number): Effect.Effect<Answer, Failure, Client> =>
  Effect.map(eventsOf(place, limit), (page) => ({
    json: page,
    text: (paint) =>
      [
        ...(page.gap === undefined ? [] : [gapText(page.gap, paint)]),
        ...page.events.map((event) => runEventText(event, paint)),
        ...(page.events.length === 0 ? [`Attempt ${oneLine(place.attemptId)} has said nothing more.`] : []),
        ...(page.hasMore
          ? [paint.dim(`There is more: muster run log ${place.taskId} --after ${page.nextCursor}`)]
          : [])
      ].join("\n")
  }))

const isOver = (status: AttemptStatus): boolean => status !== "queued" && status !== "running"

/** How an attempt ended; undefined while it is not over. */
const endOf = ({ attemptId, taskId }: Place): Effect.Effect<AttemptStatus | undefined, Failure, Client> =>
  Effect.map(statusOf(taskId, Option.some(attemptId)), ({ status }) =>
    status !== null && isOver(status) ? status : undefined
  )

/** Prints the events as they come, a line each, and at last how the run ended. */
const followed = (place: Place, named: Option.Option<string>, asJson: boolean) =>
  Effect.gen(function* () {
    const { colours, say, warn } = yield* Output
    const style = paint(colours)
    const { attemptId, taskId } = place
    const status = yield* followAttempt(place, {
      event: (event) => say(asJson ? printableJson(event) : runEventText(event, style)),
      gap: (gap) => (asJson ? say(printableJson({ gap })) : say(gapText(gap, style))),
      onBreak: (reason) => warn(`muster: ${reason}; trying again`),
      end: endOf(place)
    })
    yield* say(
      asJson
        ? printableJson({ ended: { taskId, attemptId, status } })
        : `${runState(status, style)}: ${resultHint(taskId, named)}`
    )
    return status
  })

const after = Options.text("after").pipe(
  Options.map(Number),
  optionOf("--after", integer(0, Number.MAX_SAFE_INTEGER)),
  Options.withPseudoName("N"),
  Options.withDescription("Only events after this number; from the beginning without it"),
  Options.withDefault(0)
)

const options = {
  id,
  follow: Options.boolean("follow").pipe(
    Options.withDescription("Go on as events come, until the run is over; its end decides the exit code")
  ),
  attempt,
  after,
  limit: limitUpTo(100_000, "At most this many when they are not followed; 500 without it").pipe(
    Options.withDefault(500)
  ),
  json
}

export const runLog = Command.make("log", options, (given) => {
  const placed = Effect.map(
    attemptOf(given.id, given.attempt),
    (attemptId): Place => ({ taskId: given.id, attemptId, afterSequence: given.after })
  )
  if (!given.follow) {
    return ask(
      given.json,
      Effect.flatMap(placed, (place) => listed(place, given.limit))
    )
  }
  return Effect.flatMap(placed, (place) => followed(place, given.attempt, given.json)).pipe(
    Effect.provide(Client.layer),
    (work) => orTold(given.json, work),
    Effect.flatMap((status) => {
      const code = exitCodeOf(status)
      return code === ExitCode.ok ? Effect.void : new Exit({ code })
    })
  )
}).pipe(Command.withDescription("Show what a run says and does; with --follow, to its end."))
