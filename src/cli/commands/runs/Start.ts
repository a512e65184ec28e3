import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { Client } from "../../../client/Client.ts"
import { ExitCode, type Failure, Refused } from "../../../client/Failure.ts"
import { IdParam } from "../../../kernel/IdParam.ts"
import { Phase } from "../../../runs/documents/Phase.ts"
import { CommitPolicy } from "../../../runs/documents/Policies.ts"
import { LaunchApi } from "../../../runs/launch/Api.ts"
import { LaunchHeaders, type LaunchRequest } from "../../../runs/launch/LaunchRequest.ts"
import { type Answer, ask } from "../../Answer.ts"
import { id, json, optionOf } from "../../Parts.ts"
import { launchedText, previewText } from "../../text/LaunchText.ts"

/** A refusal with what this command can do about it. */
const advised =
  (taskId: string) =>
  (failure: Failure): Failure => {
    if (!(failure instanceof Refused)) return failure
    const { body, code, details, reason, status } = failure
    const remedy = remedyOf(taskId, failure)
    return remedy === undefined
      ? failure
      : new Refused({ body, code, reason, status, details: { ...details, remedy } })
  }

const remedyOf = (taskId: string, { details, reason, status }: Refused): string | undefined => {
  if ("agent" in details && status === 404) return "muster agents lists those that there are."
  if (status !== 409) return undefined
  if (reason.startsWith("No agent is chosen")) {
    return "Name one with --agent AGENT; muster agents lists them."
  }
  return "attemptId" in details
    ? `muster run status ${taskId} shows it; muster run stop ${taskId} ends it.`
    : undefined
}

const start = (taskId: string, payload: LaunchRequest, key: string | undefined) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const headers = key === undefined ? {} : { "x-idempotency-key": key }
    const launched = yield* call(LaunchApi, ({ launch }) =>
      launch.start({ path: { taskId }, headers, payload })
    )
    const answer: Answer = { json: launched, text: (paint) => launchedText(launched, paint) }
    return answer
  })

const preview = (taskId: string, payload: LaunchRequest) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const found = yield* call(LaunchApi, ({ launch }) => launch.preview({ path: { taskId }, payload }))
    const answer: Answer = {
      json: found,
      text: (paint) => previewText(found, paint),
      exitCode: found.blockers.length === 0 ? ExitCode.ok : ExitCode.conflict
    }
    return answer
  })

const named = (option: string, says: string) =>
  Options.text(option).pipe(
    Options.withPseudoName("ID"),
    optionOf(`--${option}`, IdParam),
    Options.withDescription(says),
    Options.optional
  )

const options = {
  id,
  agent: named("agent", "Which agent; without it the default of the board").pipe(
    Options.withPseudoName("AGENT")
  ),
  phase: Options.text("phase").pipe(
    Options.withPseudoName("PHASE"),
    optionOf("--phase", Phase),
    Options.withDescription(`What it is about: ${Phase.literals.join(", ")}; implement without it`),
    Options.optional
  ),
  commitPolicy: Options.text("commit-policy").pipe(
    Options.withPseudoName("POLICY"),
    optionOf("--commit-policy", CommitPolicy),
    Options.withDescription(`Whether it may commit: ${CommitPolicy.literals.join(", ")}`),
    Options.optional
  ),
  parent: named("parent", "The attempt that this one continues"),
  key: Options.text("key").pipe(
    Options.withPseudoName("KEY"),
    optionOf("--key", LaunchHeaders.fields["x-idempotency-key"].from),
    Options.withDescription(
      "Start at most once for this key, 8 to 240 characters, however often it is typed"
    ),
    Options.optional
  ),
  preview: Options.boolean("preview").pipe(
    Options.withDescription("Show what would be launched and what stands against it, and start nothing")
  ),
  json
}

export const startRun = Command.make("start", options, (given) => {
  const payload: LaunchRequest = {
    ...(Option.isNone(given.agent) ? {} : { agent: given.agent.value }),
    ...(Option.isNone(given.phase) ? {} : { phase: given.phase.value }),
    ...(Option.isNone(given.commitPolicy) ? {} : { commitPolicy: given.commitPolicy.value }),
    ...(Option.isNone(given.parent) ? {} : { parentAttemptId: given.parent.value })
  }
  const work = given.preview
    ? preview(given.id, payload)
    : start(given.id, payload, Option.getOrUndefined(given.key))
  return ask(given.json, Effect.mapError(work, advised(given.id)))
}).pipe(Command.withDescription("Start an agent on a task, or wait in the queue for room."))
