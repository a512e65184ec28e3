import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { TelemetryApi } from "./Api.ts"
import { respondFile } from "./ExportFile.ts"
import { type Documents, maySeeInternal, Telemetry } from "./Telemetry.ts"

const respondList = (documents: Documents) => {
  const json = `[${documents.join()}]`
  return HttpServerResponse.raw(json, {
    contentType: "application/json",
    contentLength: Buffer.byteLength(json)
  })
}

export const TelemetryHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(TelemetryApi),
  "telemetry",
  (handlers) =>
    Effect.map(Telemetry, (telemetry) =>
      handlers
        .handle("record", ({ payload }) => asActor((by) => telemetry.record(payload, by)))
        .handle("recordAll", ({ payload }) =>
          asActor((by) =>
            Effect.map(telemetry.recordAll(payload.events, by), (events) => ({
              success: true as const,
              count: events.length,
              events
            }))
          )
        )
        .handle("list", ({ urlParams }) =>
          asActor((by) => Effect.map(telemetry.list(urlParams, by), respondList))
        )
        .handle("listOfTask", ({ path, urlParams }) =>
          asActor((by) => Effect.map(telemetry.list({ ...urlParams, ...path }, by), respondList))
        )
        .handle("status", () => asActor(telemetry.status))
        .handle("count", ({ urlParams }) => asActor((by) => telemetry.count(urlParams, by)))
        .handle("export", ({ urlParams: { format = "json", ...selection } }) =>
          asActor((by) =>
            Effect.succeed(respondFile(telemetry.export(selection, by), format, maySeeInternal(by)))
          )
        )
    )
)
