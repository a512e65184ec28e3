import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { Limit } from "../../kernel/Paging.ts"
import { TaskPath } from "../tasks/Api.ts"
import { TaskIdParam } from "../tasks/Task.ts"
import * as TaskWire from "../tasks/Wire.ts"
import { Observation, ObservationDraft, TaskObservationDraft } from "./Observation.ts"
import { ObservationFilter, ObservationMatches, ObservationSearch } from "./ObservationSearch.ts"
import * as Wire from "./Wire.ts"

const ObservationId = IdParam

/** An observation that was written down, as each of the two routes answers it. */
const CreatedOnTask = created(Observation)
const Created = created(Schema.Struct({ success: Schema.Literal(true), observation: Observation }))

export const ObservationsApi = HttpApiGroup.make("observations")
  .add(
    HttpApiEndpoint.post("createOnTask", "/tasks/:id/observations")
      .setPath(TaskPath)
      .setPayload(TaskObservationDraft)
      .addSuccess(CreatedOnTask)
      .addError(TaskWire.TaskNotFound)
      .addError(TaskWire.ClaimTakenOver)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Writes down an observation about a task and answers with it alone. Without a type it is `context`, without an importance 5. Script markup is taken out of the content and secrets are redacted. The task's revision stays; an archived task takes observations too."
      )
  )
  .add(
    HttpApiEndpoint.get("listOfTask", "/tasks/:id/observations")
      .setPath(TaskPath)
      .setUrlParams(Schema.Struct({ limit: Schema.optional(Limit) }))
      .addSuccess(Schema.Struct({ success: Schema.Literal(true), observations: Schema.Array(Observation) }))
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "task:read")
      .annotate(OpenApi.Description, "The observations about a task, newest first.")
  )
  .add(
    HttpApiEndpoint.del("removeFromTask", "/tasks/:id/observations/:observationId")
      .setPath(Schema.Struct({ id: TaskIdParam, observationId: ObservationId }))
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.ObservationNotFound)
      .addError(TaskWire.ClaimTakenOver)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Deletes an observation about this task. One that is about another task is a 404, like one that does not exist."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/observations")
      .setPayload(ObservationDraft)
      .addSuccess(Created)
      .addError(TaskWire.TaskNotFound)
      .addError(TaskWire.ClaimTakenOver)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Writes down an observation about the task that the body names. Otherwise as `POST /tasks/:id/observations`."
      )
  )
  .add(
    HttpApiEndpoint.get("list", "/observations")
      .setUrlParams(ObservationFilter)
      .addSuccess(Schema.Array(Observation))
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The observations about all tasks that match, newest first; `X-Total-Count` says how many match."
      )
  )
  .add(
    HttpApiEndpoint.get("search", "/observations/search")
      .setUrlParams(ObservationSearch)
      .addSuccess(ObservationMatches)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "Finds the observations that hold a text, newest first, with the titles of their tasks."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/observations/:observationId")
      .setPath(Schema.Struct({ observationId: ObservationId }))
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.ObservationNotFound)
      .addError(TaskWire.ClaimTakenOver)
      .annotate(Requires, "task:write")
      .annotate(OpenApi.Description, "Deletes an observation.")
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Observations")
