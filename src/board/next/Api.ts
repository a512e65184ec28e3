import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import * as Revision from "../../kernel/Revision.ts"
import { TaskPath } from "../tasks/Api.ts"
import { Task } from "../tasks/Task.ts"
import * as TaskWire from "../tasks/Wire.ts"
import { ClaimDraft, Claimed, ClaimNext, NextQuery, NextTask } from "./Next.ts"
import * as Wire from "./Wire.ts"

export const NextApi = HttpApiGroup.make("next")
  .add(
    HttpApiEndpoint.get("get", "/tasks/next")
      .setUrlParams(NextQuery)
      .addSuccess(NextTask)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The task that an agent should take up next, or `task: null`, with the reasons. Tasks in `todo` count, and after them those in progress whose claim has lapsed (`stale`), that depend on nothing unfinished, share no identity with another task and were not given to somebody else: a task is the agent's own when it is its assignee, or, without an assignee, one of its `agents`. Own tasks come before free ones, then those of `todo` before those whose claim has lapsed, then the higher priority, then the place in the column. Reading it reserves nothing: `POST /tasks/claim-next` does. The revision of the task comes in `ETag` and `X-Resource-Revision`."
      )
  )
  .add(
    HttpApiEndpoint.post("claimNext", "/tasks/claim-next")
      .setPayload(ClaimNext)
      .addSuccess(Claimed)
      .addError(TaskWire.TaskFull)
      .addError(TaskWire.StatusRefused)
      .addError(TaskWire.OperationReused)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Finds the next task as `GET /tasks/next` does and claims it in the same unit of work: it is in progress, and the agent is its assignee. The claim lasts for 30 minutes, unless the setting `claims.minutes` says otherwise; it belongs to the credential that made it, and every write of that credential on the task renews it, as does the heartbeat of an agent that names the task as its current one. One that lapses is shown (`claim.stale`) and told in the squad chat, and the next to claim takes the task over: after that whatever the former claimer, unless that is a person or an administrator, writes on the task is a 409, until it claims the task anew, somebody makes it the assignee again, or the task is back in `todo`. However many ask at once, each gets a task of its own; who finds nothing gets `task: null`. `agent` claims for somebody else, in whose name it is told (squad chat, telemetry). The revision of the task comes in `ETag` and `X-Resource-Revision`. With an `operationId` a repeated request answers what the first one claimed, with `replayed: true`, also after a restart; with another input it is a 409."
      )
  )
  .add(
    HttpApiEndpoint.post("claim", "/tasks/:id/claim")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(ClaimDraft)
      .addSuccess(Task)
      .addError(TaskWire.WriteRefused)
      .addError(TaskWire.StatusRefused)
      .addError(Wire.TaskNotClaimable)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Claims one task: it is in progress, and the agent is its assignee. The claim lasts and is renewed as that of `POST /tasks/claim-next`; a task whose claim has lapsed can be claimed whoever it was given to, which raises `claim.epoch`. A claim ends when the task leaves `in-progress`, when it is given to somebody else, and when an attempt starts on it, which keeps the task its own. Of all who claim it exactly one wins; a task that is not in `todo`, or that was given to somebody else, is a 409 whose `holders` name who has it. Unfinished dependencies stop nobody."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Next task")
