import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { NextApi } from "../../../board/next/Api.ts"
import { Client } from "../../../client/Client.ts"
import type { Failure } from "../../../client/Failure.ts"
import { startTimer } from "../../../client/Timer.ts"
import { oneLine } from "../../../kernel/Foreign.ts"
import { type Answer, ask } from "../../Answer.ts"
import { json } from "../../Parts.ts"
import { taskName } from "../../text/TaskText.ts"

/*
 * The command of somebody who looks for work.
 */

interface Which {
  readonly agent?: string
  readonly project?: string
  readonly type?: string
}

const findNext = (which: Which): Effect.Effect<Answer, Failure, Client> =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const found = yield* call(NextApi, ({ next }) => next.get({ urlParams: which }))
    return {
      json: found,
      text: (paint) =>
        found.task === null
          ? nothing(found.reasons)
          : [
              taskName(found.task, paint),
              ...found.reasons.map((reason) => paint.dim(`  ${oneLine(reason)}`)),
              ...(found.alternatives.length === 0
                ? []
                : ["", paint.dim("Also ready"), ...found.alternatives.map((task) => taskName(task, paint))])
            ].join("\n")
    }
  })

const claimNext = (which: Which): Effect.Effect<Answer, Failure, Client> =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const { reasons, task } = yield* call(NextApi, ({ next }) => next.claimNext({ payload: which }))
    if (task === null) return { json: { task, reasons }, text: () => nothing(reasons) }
    const running = yield* startTimer(task.id)
    return {
      json: { task: running, reasons },
      text: (paint) => `${paint.green("Claimed")} ${taskName(running, paint)}`
    }
  })

const nothing = (reasons: ReadonlyArray<string>): string =>
  oneLine(`No task to take up. ${reasons.join(". ")}.`)

const narrowing = (name: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("NAME"),
    Options.withDescription(description),
    Options.optional
  )

const options = {
  agent: narrowing("agent", "Who is to do it; without it, the name of the key"),
  project: narrowing("project", "Only tasks of this project"),
  type: narrowing("type", "Only tasks of this type"),
  claim: Options.boolean("claim").pipe(
    Options.withDescription(
      "Take the task: it is in progress and yours for 30 minutes (the board may say otherwise), and its timer runs; begin and every write on it renew that"
    )
  ),
  json
}

export const next = Command.make("next", options, ({ claim, json, ...given }) => {
  const which: Which = {
    ...(Option.isNone(given.agent) ? {} : { agent: given.agent.value }),
    ...(Option.isNone(given.project) ? {} : { project: given.project.value }),
    ...(Option.isNone(given.type) ? {} : { type: given.type.value })
  }
  return ask(json, claim ? claimNext(which) : findNext(which))
})
