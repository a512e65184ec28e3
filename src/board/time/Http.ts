import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { respondCreatedTask, respondTask, taskPrecondition } from "../tasks/Http.ts"
import { TimeApi } from "./Api.ts"
import { TimeTracking } from "./TimeTracking.ts"

export const TimeHttp = HttpApiBuilder.group(HttpApi.make("muster").add(TimeApi), "time", (handlers) =>
  Effect.map(TimeTracking, (time) =>
    handlers
      .handle("summary", () => time.summary)
      .handle("start", ({ headers, path }) =>
        asActor((by) => Effect.map(time.start(path.id, taskPrecondition(headers), by), respondTask))
      )
      .handle("stop", ({ headers, path }) =>
        asActor((by) => Effect.map(time.stop(path.id, taskPrecondition(headers), by), respondTask))
      )
      .handle("addEntry", ({ headers, path, payload }) =>
        asActor((by) =>
          Effect.map(time.addEntry(path.id, payload, taskPrecondition(headers), by), respondCreatedTask)
        )
      )
      .handle("removeEntry", ({ headers, path: { entryId, id } }) =>
        asActor((by) => time.removeEntry(id, entryId, taskPrecondition(headers), by))
      )
  )
)
