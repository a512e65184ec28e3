import { Effect } from "effect"
import type { Broadcast } from "../../storage/events/Broadcast.ts"
import { approvalStream } from "./Events.ts"
import { findApproval } from "./Units.ts"

/**
 * `approval:pending {approval}` while a run waits for a person, `approval:changed {approval}` once it does no longer: it
 * was decided, used, or it expired or was cancelled. For those who may read tasks.
 */
export const approvalBroadcast: Broadcast = {
  resource: approvalStream,
  render: ({ resourceId }) =>
    Effect.map(findApproval(resourceId), (approval) =>
      approval === undefined
        ? undefined
        : {
            message: {
              type: approval.status === "pending" ? "approval:pending" : "approval:changed",
              approval
            },
            audience: ({ permissions }) => permissions.has("task:read")
          }
    )
}
