import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Effect, Option } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { isFromHere } from "../../kernel/Locality.ts"
import { type Headers, precondition } from "../../kernel/Revision.ts"
import { WorktreesApi } from "./Api.ts"
import type { WorktreeWrite } from "./ManifestChange.ts"
import { Worktrees } from "./Worktrees.ts"

/** True when the request was made on this machine and by nobody's order from elsewhere. */
const isAtThisMachine = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): boolean =>
  isFromHere(headers, Option.getOrUndefined(remoteAddress))

/** Does a write as the caller, on the revision of the task that the request was based on. */
const asWriter = <A, E, R>(
  headers: typeof Headers.Type,
  use: (write: WorktreeWrite) => Effect.Effect<A, E, R>
) => asActor((by) => use({ by, precondition: precondition("task", headers) }))

export const WorktreesHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(WorktreesApi),
  "worktrees",
  (handlers) =>
    Effect.map(Worktrees, (worktrees) =>
      handlers
        .handle("candidates", ({ urlParams }) => worktrees.candidates(urlParams.limit))
        .handle("create", ({ headers, path, payload }) =>
          asWriter(headers, (write) => worktrees.create(path.id, payload, write))
        )
        .handle("adopt", ({ headers, path, payload }) =>
          asWriter(headers, (write) => worktrees.adopt(path.id, payload, write))
        )
        .handle("status", ({ path }) => worktrees.status(path.id))
        .handle("preview", ({ path }) => worktrees.preview(path.id))
        .handle("remove", ({ headers, path, urlParams }) =>
          asWriter(headers, (write) => worktrees.remove(path.id, urlParams, write))
        )
        .handle("rebase", ({ headers, path, payload }) =>
          asWriter(headers, (write) => worktrees.rebase(path.id, payload, write))
        )
        .handle("merge", ({ headers, path }) => asWriter(headers, (write) => worktrees.merge(path.id, write)))
        .handle("requestPullRequest", ({ headers, path, payload }) =>
          asWriter(headers, (write) => worktrees.requestPullRequest(path.id, payload, write))
        )
        .handle("open", ({ path, request }) =>
          worktrees.open(path.id, {
            atThisMachine: isAtThisMachine(request),
            looksOnly: request.method === "HEAD"
          })
        )
    )
)
