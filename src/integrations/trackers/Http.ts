import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { taskPrecondition } from "../../board/tasks/Http.ts"
import { asActor } from "../../kernel/Actor.ts"
import { respondPage } from "../../kernel/Paging.ts"
import { TrackersApi } from "./Api.ts"
import { Trackers } from "./Trackers.ts"

export const TrackersHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(TrackersApi),
  "trackers",
  (handlers) =>
    Effect.map(Trackers, (trackers) =>
      handlers
        .handle("connection", () => trackers.connection)
        .handle("connect", ({ payload }) => asActor((by) => trackers.connect(payload, by)))
        .handle("schema", () => trackers.schema)
        .handle("introspect", ({ payload }) => asActor((by) => trackers.introspect(payload, by)))
        .handle("profiles", () => trackers.profiles)
        .handle("saveProfile", ({ path, payload }) =>
          asActor((by) => trackers.saveProfile(path.profileId, payload, by))
        )
        .handle("validate", ({ path }) => trackers.validate(path.profileId))
        .handle("preview", ({ path, payload }) =>
          Effect.map(trackers.preview(path.profileId, payload), (draft) => ({
            externalWrite: false as const,
            ...draft
          }))
        )
        .handle("create", ({ headers, path, payload }) =>
          asActor((by) => trackers.create(path.profileId, payload, taskPrecondition(headers), by))
        )
        .handle("audits", ({ urlParams }) => Effect.map(trackers.audits(urlParams), respondPage))
    )
)
