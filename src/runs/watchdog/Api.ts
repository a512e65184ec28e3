import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { TaskIdParam } from "../../board/tasks/Task.ts"
import * as TaskWire from "../../board/tasks/Wire.ts"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { AttemptIdParam, RunPath } from "../attempts/Params.ts"
import * as AttemptWire from "../attempts/Wire.ts"
import { localRunControl } from "../control/LocalRunControl.ts"
import { Findings, Override, OverrideCall } from "./Finding.ts"
import * as Wire from "./Wire.ts"

export const WatchdogApi = HttpApiGroup.make("watchdog")
  .add(
    HttpApiEndpoint.get("findings", "/agents/:taskId/watchdog")
      .setPath(RunPath)
      .setUrlParams(Schema.Struct({ attemptId: AttemptIdParam }))
      .addSuccess(Findings)
      .addError(TaskWire.TaskNotFound)
      .addError(AttemptWire.AttemptMismatch)
      .annotate(Requires, "agent:read")
      .annotate(
        OpenApi.Description,
        "What was found about an attempt that the service runs itself, the oldest first, with what people decided and what was done for that. `silence`: it has told of no event for ten minutes, counted from its last event or its start, by the clock, also when the machine slept. `repetition`: it called a tool five times in a row with the same name and input; results may stand between. Each is found once in its episode: a silence ends with the next event, a repetition with another call. A finding changes nothing about the run. Of an attempt at most 100 findings are kept, as long as its task. An attempt that is not of the task is a 409, and without `attemptId` the call is a 400."
      )
  )
  .add(
    HttpApiEndpoint.post("override", "/agents/:taskId/watchdog/:findingId/override")
      .setPath(
        Schema.Struct({
          taskId: TaskIdParam,
          findingId: IdParam.annotations({ description: "The id of a finding" })
        })
      )
      .setPayload(OverrideCall)
      .addSuccess(Override)
      .addError(TaskWire.TaskNotFound)
      .addError(TaskWire.ClaimTakenOver)
      .addError(Wire.FindingNotFound)
      .addError(Wire.FindingDecided)
      .addError(AttemptWire.AttemptMismatch)
      .annotate(Requires, localRunControl)
      .annotate(
        OpenApi.Description,
        "Decides about a finding, with a reason, once: a second decision is a 409. `acknowledge` and `continue` leave the run alone; `cancel` stops it as `POST /agents/:taskId/stop` does, is answered when it has ended, and leaves an action. An attempt that has ended by itself can't be cancelled (409), and its findings can be acknowledged. `attemptId` is the attempt that the finding is about; another one is a 409. The reason loses its secrets. It takes control of the runs of this machine: the role admin, a password session with local-agent:run, or agent:write in a request that is made on the machine of the server."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Progress watchdog")
