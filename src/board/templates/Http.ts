import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { type Headers, precondition, type Revised, respond } from "../../kernel/Revision.ts"
import { respondTask, taskPrecondition } from "../tasks/Http.ts"
import { TemplatesApi } from "./Api.ts"
import { Templates } from "./Templates.ts"

const respondTemplate = (template: Revised) => respond("template", template)
const respondCreatedTemplate = (template: Revised) => respond("template", template, 201)
const templatePrecondition = (headers: typeof Headers.Type) => precondition("template", headers)

export const TemplatesHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(TemplatesApi),
  "templates",
  (handlers) =>
    Effect.map(Templates, (templates) =>
      handlers
        .handle("list", () => templates.list)
        .handle("create", ({ payload }) =>
          asActor((by) => Effect.map(templates.create(payload, by), respondCreatedTemplate))
        )
        .handle("get", ({ path }) => Effect.map(templates.get(path.id), respondTemplate))
        .handle("patch", ({ headers, path, payload }) =>
          asActor((by) =>
            Effect.map(templates.patch(path.id, payload, templatePrecondition(headers), by), respondTemplate)
          )
        )
        .handle("remove", ({ headers, path }) =>
          asActor((by) => templates.remove(path.id, templatePrecondition(headers), by))
        )
        .handle("apply", ({ headers, path, payload }) =>
          asActor((by) =>
            Effect.map(
              templates.apply(path.id, payload.templateId, taskPrecondition(headers), by),
              respondTask
            )
          )
        )
    )
)
