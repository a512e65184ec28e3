import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { TaskPath } from "../tasks/Api.ts"
import * as TaskWire from "../tasks/Wire.ts"
import { TaskContext } from "./TaskContext.ts"

export const ContextApi = HttpApiGroup.make("context")
  .add(
    HttpApiEndpoint.get("get", "/tasks/:id/context")
      .setPath(TaskPath)
      .addSuccess(TaskContext)
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "Everything that whoever takes up a task needs to know, as it was at one moment: the task, its direct dependencies in both directions, its newest 200 observations, its checkpoint and progress if there are any, and, while a run waits for a person, how many approvals wait and the newest 20 of them. Reading the checkpoint here does not count as a resume. The task's revision stands in the headers."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Task context")
