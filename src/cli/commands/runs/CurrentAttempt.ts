import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { Client } from "../../../client/Client.ts"
import { Blocked, type Failure } from "../../../client/Failure.ts"
import { AttemptIdParam } from "../../../runs/attempts/Params.ts"
import { ControlApi } from "../../../runs/control/Api.ts"
import type { RunStatus } from "../../../runs/control/Control.ts"
import { optionOf } from "../../Parts.ts"

/*
 * Which attempt a command is about: the one that is named, and else the one that its task has now.
 */

export const attempt = Options.text("attempt").pipe(
  Options.withPseudoName("ATTEMPT"),
  optionOf("--attempt", AttemptIdParam),
  Options.withDescription("Exactly this attempt; without it the active one, else the last"),
  Options.optional
)

/** Where the attempt stands that a command is about. */
export const statusOf = (
  taskId: string,
  named: Option.Option<string>
): Effect.Effect<RunStatus, Failure, Client> =>
  Effect.flatMap(Client, ({ call }) =>
    call(ControlApi, ({ control }) =>
      control.status({
        path: { taskId },
        urlParams: Option.match(named, { onNone: () => ({}), onSome: (attemptId) => ({ attemptId }) })
      })
    )
  )

/** The attempt that a command is about. */
export const attemptOf = (
  taskId: string,
  named: Option.Option<string>
): Effect.Effect<string, Failure, Client> =>
  Option.match(named, {
    onSome: Effect.succeed,
    onNone: () =>
      Effect.flatMap(statusOf(taskId, named), ({ attemptId }) =>
        attemptId === null ? noRun(taskId) : Effect.succeed(attemptId)
      )
  })

/** There is nothing yet that a command could be about. */
export const noRun = (taskId: string): Blocked =>
  new Blocked({
    reason: `Task ${taskId} has had no run`,
    remedy: `muster run start ${taskId} starts one.`
  })
