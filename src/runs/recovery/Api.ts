import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import * as TaskWire from "../../board/tasks/Wire.ts"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { RunPath } from "../attempts/Params.ts"
import { localRunControl } from "../control/LocalRunControl.ts"
import { RecoveryCancel, RunRecovery } from "./RunRecovery.ts"
import * as Wire from "./Wire.ts"

export const RecoveryApi = HttpApiGroup.make("recovery")
  .add(
    HttpApiEndpoint.get("latest", "/agents/:taskId/recovery")
      .setPath(RunPath)
      .addSuccess(Schema.NullOr(RunRecovery))
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "agent:read")
      .annotate(
        OpenApi.Description,
        "The last recovery of a task, or null. An attempt that the service runs itself and that ended as failed or interrupted is started again 30 seconds after its end, as a new attempt of the same task with `parentAttemptId`, in the name of whoever asked for it and with what they may do by then; a second time after 60 seconds and a third after 120, and then it is `exhausted`. A start by hand begins to count anew. Nothing follows a success, a blocked or a partial end, a stop, an attempt that was refused or left the queue before it ran, an agent that works elsewhere, or the step of a workflow. What was planned is launched once, after a restart too, at once when its time passed meanwhile; a child that waits for room is `launched`. When its time has come and the task is not in progress, is archived, or has a newer attempt, the recovery is `cancelled`: nothing takes up finished work by itself, and a child that waits for room goes with the work as well. Where there is no room to wait, the workspace can't be read or the provider rests, it is tried again every 30 seconds, for an hour; any other refusal is `failed`, with its reason. Recoveries are kept as long as their task."
      )
  )
  .add(
    HttpApiEndpoint.post("cancel", "/agents/:taskId/recovery/cancel")
      .setPath(RunPath)
      .setPayload(RecoveryCancel)
      .addSuccess(RunRecovery)
      .addError(TaskWire.TaskNotFound)
      .addError(Wire.RecoveryNotPending)
      .annotate(Requires, localRunControl)
      .annotate(
        OpenApi.Description,
        "Cancels the recovery of an attempt while it is `scheduled` or `launching`: no child is launched after this was answered. `attemptId` is the attempt that is recovered, the `parentAttemptId` of the last recovery; without it the call is a 400. Another attempt, a child that was launched and whatever is over are a 409. It takes agent:write; a token of the role agent that has it counts on the machine of the server alone."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Recovery")
