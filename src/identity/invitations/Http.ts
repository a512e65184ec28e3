import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { withRetryAfter } from "../../kernel/TooManyAttempts.ts"
import { sender } from "../principals/Credentials.ts"
import { InvitationsApi } from "./Api.ts"
import { Invitations } from "./Invitations.ts"

export const InvitationsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(InvitationsApi),
  "invitations",
  (handlers) =>
    Effect.map(Invitations, (invitations) =>
      handlers
        .handle("list", ({ path, urlParams }) => invitations.list(path.workspaceId, urlParams.limit))
        .handle("create", ({ path, payload }) =>
          asActor((by) => invitations.create(path.workspaceId, payload, by))
        )
        .handle("revoke", ({ path }) => asActor((by) => invitations.revoke(path.id, by)))
        .handle("accept", ({ payload }) => asActor((by) => invitations.accept(payload.token, by)))
        .handle("acceptNew", ({ payload }) =>
          withRetryAfter(Effect.flatMap(sender, (from) => invitations.acceptNew(payload, from)))
        )
    )
)
