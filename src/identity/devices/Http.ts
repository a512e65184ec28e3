import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { withRetryAfter } from "../../kernel/TooManyAttempts.ts"
import { sender } from "../principals/Credentials.ts"
import { DevicesApi } from "./Api.ts"
import { Devices } from "./Devices.ts"

export const DevicesHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(DevicesApi),
  "devices",
  (handlers) =>
    Effect.map(Devices, (devices) =>
      handlers
        .handle("list", ({ path, urlParams }) => devices.list(path.workspaceId, urlParams.limit))
        .handle("createPairing", ({ path, payload }) =>
          Effect.flatMap(sender, (from) =>
            asActor((by) => devices.createPairing(path.workspaceId, payload, from, by))
          )
        )
        .handle("exchange", ({ payload }) =>
          withRetryAfter(Effect.flatMap(sender, (from) => devices.exchange(payload, from)))
        )
        .handle("test", ({ path }) => devices.test(path.workspaceId, path.id))
        .handle("revoke", ({ path }) => asActor((by) => devices.revoke(path.workspaceId, path.id, by)))
    )
)
