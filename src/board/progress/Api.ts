import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import * as Revision from "../../kernel/Revision.ts"
import { TaskPath } from "../tasks/Api.ts"
import * as TaskWire from "../tasks/Wire.ts"
import { ProgressAppend, ProgressUpdate, TaskProgress } from "./TaskProgress.ts"

export const ProgressApi = HttpApiGroup.make("progress")
  .add(
    HttpApiEndpoint.get("get", "/tasks/:id/progress")
      .setPath(TaskPath)
      .addSuccess(TaskProgress)
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The progress of a task; without any, the content is empty and `updatedAt` null."
      )
  )
  .add(
    HttpApiEndpoint.put("set", "/tasks/:id/progress")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(ProgressUpdate)
      .addSuccess(TaskProgress)
      .addError(TaskWire.WriteRefused)
      .annotate(Requires, "task:write")
      .annotate(OpenApi.Description, "Sets the content as a whole; the entries stay. Secrets are redacted.")
  )
  .add(
    HttpApiEndpoint.post("append", "/tasks/:id/progress/append")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(ProgressAppend)
      .addSuccess(created(TaskProgress))
      .addError(TaskWire.WriteRefused)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Adds an entry, given as `text` or `content`, and appends it to the content as a line of its own."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Progress")
