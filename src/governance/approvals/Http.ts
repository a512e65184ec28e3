import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { respondPage } from "../../kernel/Paging.ts"
import { RunApprovalsApi } from "./Api.ts"
import { RunApprovals } from "./RunApprovals.ts"

export const RunApprovalsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(RunApprovalsApi),
  "runApprovals",
  (handlers) =>
    Effect.map(RunApprovals, (approvals) =>
      handlers
        .handle("list", ({ urlParams }) => Effect.map(approvals.list(urlParams), respondPage))
        .handle("get", ({ path }) => approvals.get(path.approvalId))
        .handle("decide", ({ path, payload }) =>
          asActor((by) => approvals.decide(path.approvalId, payload, by))
        )
        .handle("decidePermission", ({ path, payload }) =>
          asActor((by) => approvals.decidePermission(path.id, payload, by))
        )
    )
)
