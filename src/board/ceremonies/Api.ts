import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { Limit } from "../../kernel/Paging.ts"
import { TaskIdParam } from "../tasks/Task.ts"
import * as TaskWire from "../tasks/Wire.ts"
import {
  Ceremony,
  CeremonyCompletion,
  CeremonyDraft,
  CeremonyIdParam,
  CeremonyStatus,
  CeremonyType
} from "./Ceremony.ts"
import * as Wire from "./Wire.ts"

const CeremonyPath = Schema.Struct({ id: CeremonyIdParam })

/** Which ceremonies to list. */
const CeremonyFilter = Schema.Struct({
  taskId: Schema.optional(TaskIdParam),
  type: Schema.optional(CeremonyType),
  status: Schema.optional(CeremonyStatus),
  limit: Schema.optional(Limit)
})

export const CeremoniesApi = HttpApiGroup.make("ceremonies")
  .add(
    HttpApiEndpoint.get("list", "/ceremonies")
      .setUrlParams(CeremonyFilter)
      .addSuccess(Schema.Array(Ceremony))
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The ceremonies that match, newest first; `X-Total-Count` says how many match. `?taskId=...&status=pending` is what a task still waits for."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/ceremonies")
      .setPayload(CeremonyDraft)
      .addSuccess(created(Ceremony))
      .addError(TaskWire.TaskNotFound)
      .addError(Wire.CeremonyPending)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Calls a ceremony about a task. The gates ceremonyDesignReview and ceremonyFailureRetrospective call theirs by themselves; one that was called before they ask serves them. A task waits for at most one of each type: a second one is a 409."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/ceremonies/:id")
      .setPath(CeremonyPath)
      .addSuccess(Ceremony)
      .addError(Wire.CeremonyNotFound)
      .annotate(Requires, "task:read")
      .annotate(OpenApi.Description, "A ceremony with its artifacts, participants and action items.")
  )
  .add(
    HttpApiEndpoint.post("complete", "/ceremonies/:id/complete")
      .setPath(CeremonyPath)
      .setPayload(CeremonyCompletion)
      .addSuccess(Ceremony)
      .addError(Wire.CeremonyNotFound)
      .addError(Wire.CeremonyCompleted)
      .addError(Wire.ArtifactsMissing)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Records that a ceremony was held: who says so, what it brought forth, what is to be done. It needs an artifact of each required kind, and at least one in any case; secrets in it are redacted. From then on its gate lets the task pass, until the task is reopened. A second completion is a 409."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Ceremonies")
