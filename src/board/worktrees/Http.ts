import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Effect, Option } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { isFromHere } from "../../kernel/Locality.ts"
import { WorktreesApi } from "./Api.ts"
import { Worktrees } from "./Worktrees.ts"

/** True when the request was made on this machine and by nobody's order from elsewhere. */
const isAtThisMachine = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): boolean =>
  isFromHere(headers, Option.getOrUndefined(remoteAddress))

export const WorktreesHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(WorktreesApi),
  "worktrees",
  (handlers) =>
    Effect.map(Worktrees, (worktrees) =>
      handlers
        .handle("candidates", ({ urlParams }) => worktrees.candidates(urlParams.limit))
        .handle("create", ({ path, payload }) => asActor((by) => worktrees.create(path.id, payload, by)))
        .handle("adopt", ({ path, payload }) => asActor((by) => worktrees.adopt(path.id, payload, by)))
        .handle("status", ({ path }) => worktrees.status(path.id))
        .handle("preview", ({ path }) => worktrees.preview(path.id))
        .handle("remove", ({ path, urlParams }) => asActor((by) => worktrees.remove(path.id, urlParams, by)))
        .handle("rebase", ({ path, payload }) => asActor((by) => worktrees.rebase(path.id, payload, by)))
        .handle("merge", ({ path }) => asActor((by) => worktrees.merge(path.id, by)))
        .handle("requestPullRequest", ({ path, payload }) =>
          asActor((by) => worktrees.requestPullRequest(path.id, payload, by))
        )
        .handle("open", ({ path, request }) => worktrees.open(path.id, isAtThisMachine(request)))
    )
)
