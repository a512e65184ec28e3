import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { Limit } from "../../kernel/Paging.ts"
import { inRole } from "../../kernel/Requirement.ts"
import { RevisionConflictWire } from "../../kernel/Revision.ts"
import { ApprovalStatus, RunApproval } from "./RunApproval.ts"
import * as Wire from "./Wire.ts"

const ApprovalId = IdParam.annotations({ description: "The id of a run approval" })

/** Which approvals to list. All given ones must hold. */
const ApprovalFilter = Schema.Struct({
  status: Schema.optional(ApprovalStatus),
  taskId: Schema.optional(IdParam.annotations({ description: "The id of a task" })),
  attemptId: Schema.optional(IdParam.annotations({ description: "The id of an attempt" })),
  agent: Schema.optional(
    IdParam.annotations({ description: "The type or the id of an agent: its `agentId`" })
  ),
  limit: Schema.optional(Limit)
})

/** Approvals are decided by administrators, with a credential that may write tasks. */
const administrators = inRole("admin", "task:write")

export const RunApprovalsApi = HttpApiGroup.make("runApprovals")
  .add(
    HttpApiEndpoint.get("list", "/run-approvals")
      .setUrlParams(ApprovalFilter)
      .addSuccess(Schema.Array(RunApproval))
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "What runs ask people for, newest first: `status=pending` is what waits. `X-Total-Count` says how many match; `limit` is 1 to 1,000, 100 when absent. An approval whose time is over is `expired` from that moment on: nobody answered, which is no rejection. What was approved stays `approved`; it counts once, until `expiresAt`, and `usedAt` says when it did. Decided ones are kept for 90 days, and the newest 10,000 for longer."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/run-approvals/:approvalId")
      .setPath(Schema.Struct({ approvalId: ApprovalId }))
      .addSuccess(RunApproval)
      .addError(Wire.ApprovalNotFound)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "An approval as it is at this moment. `action` says what the run wants to do, without secrets; `actionHash` is the digest of the exact action. An approval waits for 30 minutes unless its asker says otherwise. `mobileSafe` says whether somebody may decide it on a phone."
      )
  )
  .add(
    HttpApiEndpoint.post("decide", "/run-approvals/:approvalId/decision")
      .setPath(Schema.Struct({ approvalId: ApprovalId }))
      .setPayload(Wire.ApprovalDecision)
      .addSuccess(RunApproval)
      .addError(Wire.ApprovalNotFound)
      .addError(Wire.ApprovalSettled)
      .addError(Wire.AskerGone)
      .addError(Wire.ActionChanged)
      .addError(RevisionConflictWire)
      .addError(Wire.ResponseNotAsked)
      .addError(Wire.NotMobileSafe)
      .annotate(Requires, administrators)
      .annotate(
        OpenApi.Description,
        "Approves or rejects what a run asks for, as it was seen: a stale `expectedRevision`, another `expectedActionHash`, and whatever was decided, expired or cancelled before is a 409 and changes nothing. When the run that asked is over it is a 409 too, and the approval is `cancelled`. Of several decisions at once one counts. `responseData` answers an elicitation, with `approved` alone, and is given to the asker; with any other approval it is a 400. A paired device of the modes mobile and pwa decides what is `mobileSafe`; anything else is a 403 there. The note and the response lose their secrets."
      )
  )
  .add(
    HttpApiEndpoint.post("decidePermission", "/agents/permissions/approvals/:id")
      .setPath(Schema.Struct({ id: ApprovalId }))
      .setPayload(Wire.PermissionDecision)
      .addSuccess(RunApproval)
      .addError(Wire.ApprovalNotFound)
      .addError(Wire.ApprovalSettled)
      .addError(Wire.AskerGone)
      .addError(Wire.NotMobileSafe)
      .annotate(Requires, administrators)
      .annotate(
        OpenApi.Description,
        "Another door to the same approvals: decides one by its id, whatever it asks for by now, without a revision. What was decided, expired or cancelled before is a 409. There is no second list of requests: `GET /api/run-approvals` has them all."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Run approvals")
