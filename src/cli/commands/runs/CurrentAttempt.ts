import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { Client } from "../../../client/Client.ts"
import { Blocked, type Failure } from "../../../client/Failure.ts"
import { IdParam } from "../../../kernel/IdParam.ts"
import { ControlApi } from "../../../runs/control/Api.ts"
import type { RunStatus } from "../../../runs/control/Control.ts"
import { optionOf } from "../../Parts.ts"

/*
 * Which attempt a command is about: the one that is named, and else the one that its task has now.
 */

export const attempt = Options.text("attempt").pipe(
  Options.withPseudoName("ATTEMPT"),
  optionOf("--attempt", IdParam),
  Options.withDescription("Exactly this attempt; without it the active one, else the last"),
  Options.optional
)

export const statusOf = (taskId: string): Effect.Effect<RunStatus, Failure, Client> =>
  Effect.flatMap(Client, ({ call }) =>
    call(ControlApi, ({ control }) => control.status({ path: { taskId } }))
  )

/** The attempt that a command is about. */
export const attemptOf = (
  taskId: string,
  named: Option.Option<string>
): Effect.Effect<string, Failure, Client> =>
  Option.match(named, {
    onSome: Effect.succeed,
    onNone: () =>
      Effect.flatMap(statusOf(taskId), ({ attemptId }) =>
        attemptId === null
          ? new Blocked({
              reason: `Task ${taskId} has had no run`,
              remedy: `muster run start ${taskId} starts one.`
            })
          : Effect.succeed(attemptId)
      )
  })

/** Where the attempt stands that a command is about. The server tells it of the last attempt of a task. */
export const standingOf = (
  taskId: string,
  named: Option.Option<string>
): Effect.Effect<RunStatus, Failure, Client> =>
  Effect.flatMap(statusOf(taskId), (status) =>
    Option.isNone(named) || named.value === status.attemptId
      ? Effect.succeed(status)
      : new Blocked({
          reason: `${named.value} is not the last attempt of task ${taskId}: ${status.attemptId ?? "it has had none"}`,
          remedy: `muster run log ${taskId} --attempt ${named.value} shows its events; muster show ${taskId} --json lists the attempts.`
        })
  )
