import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { type Context, Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { Limit } from "../../kernel/Paging.ts"
import { nonBlank } from "../../kernel/Text.ts"
import { TelemetryBulk, TelemetryDraft, TelemetryEvent, TelemetryType } from "./TelemetryEvent.ts"
import {
  TelemetryCount,
  TelemetryExport,
  TelemetryFilter,
  TelemetrySelection,
  TelemetryStatus
} from "./TelemetryQuery.ts"

const Recorded = created(TelemetryEvent)
const RecordedAll = created(
  Schema.Struct({
    success: Schema.Literal(true),
    count: Schema.Int,
    events: Schema.Array(TelemetryEvent)
  })
)

/** The contract knows one media type for a status: the document shows the other one beside it. */
const withCsv: Context.Tag.Service<typeof OpenApi.Transform> = ({ responses, ...operation }) => ({
  ...operation,
  responses: {
    ...responses,
    200: {
      description: "The events as a file",
      content: { ...responses[200].content, "text/csv": { schema: { type: "string" } } }
    }
  }
})

export const TelemetryApi = HttpApiGroup.make("telemetry")
  .add(
    HttpApiEndpoint.post("record", "/telemetry/events")
      .setPayload(TelemetryDraft)
      .addSuccess(Recorded)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Records an event of a run. `run.started` and `run.completed` need a `taskId` and an `agent`, `run.tokens` a `taskId`; the task need not be on this board. Repeating an event records it again. `network.egress` is internal and refused."
      )
  )
  .add(
    HttpApiEndpoint.post("recordAll", "/telemetry/events/bulk")
      .setPayload(TelemetryBulk)
      .addSuccess(RecordedAll)
      .annotate(Requires, "task:write")
      .annotate(OpenApi.Description, "Records 1 to 1,000 events, all of them or none.")
  )
  .add(
    HttpApiEndpoint.get("list", "/telemetry/events")
      .setUrlParams(TelemetryFilter)
      .addSuccess(Schema.Array(TelemetryEvent))
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The events that match, newest first. Admins see internal `network.egress` events among them, nobody else does."
      )
  )
  .add(
    HttpApiEndpoint.get("listOfTask", "/telemetry/events/task/:taskId")
      .setPath(Schema.Struct({ taskId: nonBlank(200) }))
      .setUrlParams(Schema.Struct({ type: Schema.optional(TelemetryType), limit: Schema.optional(Limit) }))
      .addSuccess(Schema.Array(TelemetryEvent))
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The events of a task, newest first; none when nobody has reported about it."
      )
  )
  .add(
    HttpApiEndpoint.get("status", "/telemetry/status")
      .addSuccess(TelemetryStatus)
      .annotate(Requires, "task:read")
      .annotate(OpenApi.Description, "How many events there are and when the last one was recorded.")
  )
  .add(
    HttpApiEndpoint.get("count", "/telemetry/count")
      .setUrlParams(TelemetrySelection)
      .addSuccess(TelemetryCount)
      .annotate(Requires, "task:read")
      .annotate(OpenApi.Description, "How many events match, in all and of each type.")
  )
  .add(
    HttpApiEndpoint.get("export", "/telemetry/export")
      .setUrlParams(TelemetryExport)
      .addSuccess(Schema.Array(TelemetryEvent))
      .annotate(Requires, "task:read")
      .annotate(OpenApi.Transform, withCsv)
      .annotate(
        OpenApi.Description,
        "The events that match as a file, newest first, at most 100,000: a JSON array, or with `format=csv` the same events as a CSV with a header row (RFC 4180), in which a value that a spreadsheet would take for a formula starts with an apostrophe and one with a line break is quoted. Admins export internal `network.egress` events too, with columns of their own."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Telemetry")
