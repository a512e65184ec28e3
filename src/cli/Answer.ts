import { Data, Effect } from "effect"
import { Client } from "../client/Client.ts"
import { ExitCode, type Failure, tell } from "../client/Failure.ts"
import { oneLine, printableJson } from "../kernel/Foreign.ts"
import { Output } from "./Output.ts"
import { type Paint, paint } from "./text/Paint.ts"

/** What a command answers: a value for a program, text for a person. */
export interface Answer {
  readonly json: unknown
  readonly text: (paint: Paint, width: number | undefined) => string
  /** The exit code when the command did not fully succeed although it has an answer. */
  readonly exitCode?: ExitCode
}

/** Ends the command with this exit code. Everything has been printed. */
export class Exit extends Data.TaggedError("Exit")<{ readonly code: ExitCode }> {}

/**
 * Prints the answer of a command, or why there is none. With `--json` stdout holds one JSON document either way: the
 * answer, or an error envelope.
 */
export const answer = <R>(
  json: boolean,
  work: Effect.Effect<Answer, Failure, R>
): Effect.Effect<void, Exit, R | Output> =>
  Effect.gen(function* () {
    const { colours, say, width } = yield* Output
    const result = yield* orTold(json, work)
    yield* say(json ? printableJson(result.json, 2) : result.text(paint(colours), width))
    if (result.exitCode !== undefined && result.exitCode !== ExitCode.ok) {
      return yield* new Exit({ code: result.exitCode })
    }
  })

/** Prints the answer of a command that asks the server. */
export const ask = <R>(json: boolean, work: Effect.Effect<Answer, Failure, R>) =>
  answer(json, Effect.provide(work, Client.layer))

/** Prints a failure, and ends the command. */
export const orTold = <A, R>(json: boolean, work: Effect.Effect<A, Failure, R>) =>
  Effect.catchAll(work, (failure) => fail(json, failure))

const fail = (json: boolean, failure: Failure): Effect.Effect<never, Exit, Output> =>
  Effect.gen(function* () {
    const { say, warn } = yield* Output
    const { envelope, exitCode, facts, happened, remedy } = tell(failure)
    if (json) yield* say(printableJson(envelope, 2))
    else {
      yield* warn(`muster: ${oneLine(happened)}`)
      for (const fact of facts) yield* warn(`  - ${oneLine(fact)}`)
      if (remedy !== undefined) yield* warn(`  ${oneLine(remedy)}`)
    }
    return yield* new Exit({ code: exitCode })
  })
