import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import * as Envelope from "../../kernel/Envelope.ts"
import * as Revision from "../../kernel/Revision.ts"
import { TaskPath } from "../tasks/Api.ts"
import { TaskIdParam } from "../tasks/Task.ts"
import * as TaskWire from "../tasks/Wire.ts"
import { BlockingStatus, Dependencies, DependencyDraft, DependencyGraph, Direction } from "./Dependency.ts"
import * as Errors from "./Errors.ts"

const SelfDependency = Envelope.general(Errors.SelfDependency, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})
const DependencyCycle = Envelope.general(Errors.DependencyCycle, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `${error.dependsOn} depends on ${error.taskId} already, so this edge would close a cycle`
})
const DependencyExists = Envelope.general(Errors.DependencyExists, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `${error.taskId} depends on ${error.dependsOn} already`
})
const DependencyNotFound = Envelope.general(Errors.DependencyNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `${error.taskId} does not depend on ${error.dependsOn}`
})

export const DependenciesApi = HttpApiGroup.make("dependencies")
  .add(
    HttpApiEndpoint.get("list", "/tasks/:id/dependencies")
      .setPath(TaskPath)
      .addSuccess(Dependencies)
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "What a task depends on and what it blocks, nested up to ten levels deep and at most 1,000 tasks wide."
      )
  )
  .add(
    HttpApiEndpoint.post("add", "/tasks/:id/dependencies")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(DependencyDraft)
      .addSuccess(created(Dependencies))
      .addError(TaskWire.WriteRefused)
      .addError(SelfDependency)
      .addError(DependencyCycle)
      .addError(DependencyExists)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Adds an edge: with `direction` `depends_on` (the default) this task depends on `dependsOn`, with `blocks` it blocks it. The revision of the task that depends rises. An edge to itself is a 400, a cycle or an edge that is there already a 409, an unknown task a 404. A precondition is checked against the task of the path."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/tasks/:id/dependencies/:dependencyId")
      .setPath(Schema.Struct({ ...TaskPath.fields, dependencyId: TaskIdParam }))
      .setHeaders(Revision.Headers)
      .setUrlParams(Schema.Struct({ direction: Schema.optional(Direction) }))
      .addSuccess(HttpApiSchema.NoContent)
      .addError(TaskWire.WriteRefused)
      .addError(DependencyNotFound)
      .annotate(Requires, "task:write")
      .annotate(OpenApi.Description, "Removes the edge of the given `direction`, `depends_on` by default.")
  )
  .add(
    HttpApiEndpoint.get("graph", "/tasks/:id/dependency-graph")
      .setPath(TaskPath)
      .addSuccess(DependencyGraph)
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "Everything below and above a task: `nodes`, and `edges` in which `from` depends on `to`. `truncated` is true when there are more than 1,000 tasks."
      )
  )
  .add(
    HttpApiEndpoint.get("blockingStatus", "/tasks/:id/blocking-status")
      .setPath(TaskPath)
      .addSuccess(BlockingStatus)
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "Whether tasks that are neither done, cancelled nor archived stand in the way. It informs; it stops nobody from starting."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Dependencies")
