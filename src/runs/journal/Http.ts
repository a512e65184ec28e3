import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { RunEventsApi } from "./Api.ts"
import { RunEvents } from "./RunEvents.ts"

const respondPage = (json: string) => HttpServerResponse.text(json, { contentType: "application/json" })

export const RunEventsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(RunEventsApi),
  "runEvents",
  (handlers) =>
    Effect.map(RunEvents, ({ page }) =>
      handlers.handle("list", ({ path, urlParams: { afterSequence = 0, limit = 100 } }) =>
        Effect.map(page({ ...path, afterSequence, limit }), respondPage)
      )
    )
)
