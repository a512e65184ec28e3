import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import * as Revision from "../../kernel/Revision.ts"
import { TaskPath } from "../tasks/Api.ts"
import { Task } from "../tasks/Task.ts"
import * as TaskWire from "../tasks/Wire.ts"
import { Template, TemplateDraft, TemplateIdParam, TemplatePatch, TemplateReference } from "./Template.ts"
import * as Wire from "./Wire.ts"

const TemplatePath = Schema.Struct({ id: TemplateIdParam })
const CreatedTemplate = created(Template)

export const TemplatesApi = HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.get("list", "/templates")
      .addSuccess(Schema.Array(Template))
      .annotate(Requires, "task:read")
      .annotate(OpenApi.Description, "All templates, by name. There are at most 500.")
  )
  .add(
    HttpApiEndpoint.post("create", "/templates")
      .setPayload(TemplateDraft)
      .addSuccess(CreatedTemplate)
      .addError(Wire.TemplateNameTaken)
      .addError(Wire.TemplateLimitReached)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Creates a template: a name of its own and the fields that it gives to tasks, under the limits that they have on a task. A name that is taken is a 409."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/templates/:id")
      .setPath(TemplatePath)
      .addSuccess(Template)
      .addError(Wire.TemplateNotFound)
      .annotate(Requires, "task:read")
      .annotate(OpenApi.Description, "One template, with its revision in `ETag` and `X-Resource-Revision`.")
  )
  .add(
    HttpApiEndpoint.patch("patch", "/templates/:id")
      .setPath(TemplatePath)
      .setHeaders(Revision.Headers)
      .setPayload(TemplatePatch)
      .addSuccess(Template)
      .addError(Wire.TemplateNotFound)
      .addError(Wire.TemplateNameTaken)
      .addError(Revision.RevisionConflictWire)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Changes what the body names; `fields` merge one by one and `null` clears. Tasks that were filled from the template stay as they are. An empty body changes nothing."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/templates/:id")
      .setPath(TemplatePath)
      .setHeaders(Revision.Headers)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.TemplateNotFound)
      .addError(Revision.RevisionConflictWire)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Deletes a template. Tasks that were filled from it stay as they are, so an agent may."
      )
  )
  .add(
    HttpApiEndpoint.post("apply", "/tasks/:id/apply-template")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(TemplateReference)
      .addSuccess(Task)
      .addError(Wire.TemplateNotFound)
      .addError(TaskWire.WriteRefused)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Fills the empty fields of a task from a template: those that were never set, and empty texts and lists. What is there stays, so do the title and the status, and defaults such as the priority count as set. Raises the task's revision."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Templates")
