import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import * as TaskWire from "../../board/tasks/Wire.ts"
import * as AdmissionWire from "../../governance/queue/Wire.ts"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { forReaders } from "../../kernel/Requirement.ts"
import { RunPath } from "../attempts/Params.ts"
import { NoAgentChosen } from "../routing/Wire.ts"
import * as WorkspaceWire from "../workspace/Wire.ts"
import { Launched, LaunchHeaders, LaunchPreview, LaunchRequest } from "./LaunchRequest.ts"
import * as Wire from "./Wire.ts"

/** Why nothing can be compiled for a launch. */
const CompileRefused = Schema.Union(
  Wire.AgentUnknown,
  NoAgentChosen,
  Wire.ProfileUnknown,
  Wire.ParentUnknown,
  Wire.ParentActive
)

export const LaunchApi = HttpApiGroup.make("launch")
  .add(
    HttpApiEndpoint.post("start", "/agents/:taskId/start")
      .setPath(RunPath)
      .setHeaders(LaunchHeaders)
      .setPayload(LaunchRequest)
      .addSuccess(created(Launched))
      .addError(TaskWire.WriteRefused)
      .addError(TaskWire.StatusRefused)
      .addError(CompileRefused)
      .addError(Wire.LaunchRefused)
      .addError(AdmissionWire.AdmissionOverload)
      .addError(AdmissionWire.AdmissionPolicyDenied)
      .addError(Wire.AttemptActive)
      .addError(Wire.LaunchKeyReused)
      .addError(WorkspaceWire.WorkspaceUnreadable)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Launches an attempt: the agent that the body names, else the caller when its key is that of a registered agent, else the configured default. The attempt is bound to three documents that never change: the runtime manifest of the agent, the launch manifest and the task envelope with the baseline of the workspace. The task is in progress, through the gates and the automation of every status change; an archived task is a 409. With `X-Idempotency-Key` (or `idempotencyKey`; the header wins) a start counts once for its task, for good: the same body again has the same answer, also after a restart, and another body is a 409. Without that key a task with an active attempt is a 409. A registered agent works elsewhere and completes by callback. Where capacity is used up the answer is 201 with `status: queued`: the attempt begins by itself, and nobody launches it a second time; with the queue off or full it is 409 ADMISSION_OVERLOAD, and 409 ADMISSION_POLICY_DENIED when there never will be room. Whatever is refused leaves no attempt: an unknown agent or profile is a 404; a disabled one, a provider that has no adapter (so far command and gateway can be started), a sandbox preset that does not exist (there are none yet), capabilities that the runtime does not have, and a workspace that can't be captured are a 409."
      )
  )
  .add(
    HttpApiEndpoint.post("preview", "/agents/:taskId/launch-preview")
      .setPath(RunPath)
      .setPayload(LaunchRequest)
      .addSuccess(LaunchPreview)
      .addError(TaskWire.TaskNotFound)
      .addError(TaskWire.TaskArchived)
      .addError(CompileRefused)
      .annotate(Requires, forReaders("agent:read"))
      .annotate(
        OpenApi.Description,
        "Compiles what a start with the same body would launch now, by the same code, and creates nothing. `blockers` are all that would refuse the start, and what it would name: a disabled agent or profile, a missing adapter, sandbox or capability. With `parentAttemptId`, `drift` names the fields that differ from what that attempt was launched with."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Launch")
