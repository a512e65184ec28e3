import { Effect } from "effect"
import type { Storage } from "../../../src/storage/Storage.ts"
import { ask } from "../../support/Approvals.ts"
import { aTask, type Scenario, type Sent } from "./Scenario.ts"

/** A request about an approval that a run of a task waits for. */
const waiting =
  (sent: (approval: Effect.Effect.Success<ReturnType<typeof ask>>) => Sent): Scenario =>
  (request): Effect.Effect<Sent, never, Storage> =>
    Effect.map(
      Effect.flatMap(aTask(request), (task) => ask({ taskId: task.id })),
      sent
    )

/** Runs ask for approvals; no route does. */
export const approvals: Readonly<Record<string, Scenario>> = {
  "runApprovals.list": waiting(({ taskId }) => ({ query: `?status=pending&taskId=${taskId}&limit=5` })),
  "runApprovals.get": waiting(({ id }) => ({ path: { approvalId: id } })),
  "runApprovals.decide": waiting(({ actionHash, id, revision }) => ({
    path: { approvalId: id },
    body: {
      decision: "approved",
      expectedRevision: revision,
      expectedActionHash: actionHash,
      note: "For this branch"
    }
  })),
  "runApprovals.decidePermission": waiting(({ id }) => ({ path: { id }, body: { decision: "rejected" } }))
}
