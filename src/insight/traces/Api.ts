import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { Limit } from "../../kernel/Paging.ts"
import { AttemptTrace, TraceEntry, TraceIdParam, TraceStatus } from "./Trace.ts"
import * as Wire from "./Wire.ts"

export const TracesApi = HttpApiGroup.make("traces")
  .add(
    HttpApiEndpoint.get("status", "/traces/status")
      .addSuccess(TraceStatus)
      .annotate(Requires, "task:read")
      .annotate(OpenApi.Description, "Whether attempts are traced. At first they are not.")
  )
  .add(
    HttpApiEndpoint.post("enable", "/traces/enable")
      .addSuccess(TraceStatus)
      .annotate(Requires, "admin:manage")
      .annotate(OpenApi.Description, "Traces attempts from now on.")
  )
  .add(
    HttpApiEndpoint.post("disable", "/traces/disable")
      .addSuccess(TraceStatus)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Traces attempts no longer. What was traced stays, and decisions of the governance are traced in any case."
      )
  )
  .add(
    HttpApiEndpoint.get("ofTask", "/traces/task/:taskId")
      .setPath(Schema.Struct({ taskId: TraceIdParam }))
      .setUrlParams(Schema.Struct({ limit: Schema.optional(Limit) }))
      .addSuccess(Schema.Array(TraceEntry))
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "What was traced about a task, newest first: entries of its attempts, and decisions of the governance such as a ceremony that a gate asked for. Empty when there is nothing; a task that is deleted takes its traces along."
      )
  )
  .add(
    HttpApiEndpoint.get("decision", "/traces/governance/:traceId")
      .setPath(Schema.Struct({ traceId: TraceIdParam }))
      .addSuccess(TraceEntry)
      .addError(Wire.TraceNotFound)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "A decision of the governance by its `traceId`, which begins with `govtrace_`."
      )
  )
  .add(
    HttpApiEndpoint.get("ofAttempt", "/traces/:attemptId")
      .setPath(Schema.Struct({ attemptId: TraceIdParam }))
      .addSuccess(AttemptTrace)
      .addError(Wire.TraceNotFound)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The trace of an attempt, in the order of what happened, 10,000 entries at the most. An attempt that was not traced is a 404."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Traces")
