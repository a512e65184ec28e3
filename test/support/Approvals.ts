import { Effect } from "effect"
import type { ApprovalRequest } from "../../src/governance/approvals/Request.ts"
import { actionHashOf } from "../../src/governance/approvals/RunApproval.ts"
import { requestApproval } from "../../src/governance/approvals/Units.ts"
import { founderOf } from "../../src/identity/Standing.ts"
import { type ActorContext, actorOf } from "../../src/kernel/Actor.ts"
import { findAttempt, insertAttempt } from "../../src/runs/attempts/Units.ts"
import { Storage } from "../../src/storage/Storage.ts"

/** The service that asks on behalf of a run. */
export const asker: ActorContext = actorOf({ name: "codex", role: "agent", authMethod: "api-key" })

let asked = 0

/** A request of a run that nobody else makes: its attempt and its id are its own, unless it says otherwise. */
export const requestOf = (more: Partial<ApprovalRequest> = {}): ApprovalRequest => {
  const number = ++asked
  return {
    taskId: "task_of_nobody",
    attemptId: `attempt_${number}`,
    provider: "acp",
    agentId: "codex",
    requestKind: "command",
    action: "Run npm test",
    exact: { command: ["npm", "test"] },
    resourceScope: ["/work/repo"],
    workingDirectory: "/work/repo",
    riskClass: "medium",
    evidenceRevision: "1",
    providerRequestId: `request-${number}`,
    ...more
  }
}

/** The attempt of a step, which takes no task's own place: it lives, so that what it asks for can be answered. */
const living = ({ attemptId, taskId }: ApprovalRequest) =>
  Effect.gen(function* () {
    if ((yield* findAttempt(attemptId)) !== undefined) return
    yield* insertAttempt(
      {
        // One that works elsewhere goes on when the server is started again.
        ...{
          id: attemptId,
          taskId,
          provider: "gateway",
          agent: "codex",
          source: "workflow",
          state: "running"
        },
        ...{ parentAttemptId: null, queueId: null, workspace: null },
        requestedBy: founderOf(asker),
        createdAt: 0,
        startedAt: 0
      },
      "{}"
    )
  })

/** Makes an approval as a run would: no route makes one. */
export const ask = (more: Partial<ApprovalRequest> = {}) =>
  Effect.flatMap(Storage, (storage) => {
    const request = requestOf(more)
    return Effect.orDie(storage.write(Effect.zipRight(living(request), requestApproval(request, asker))))
  })

/** What a run that goes on says of what it does. */
export const actionOf = ({
  attemptId,
  exact,
  requestKind
}: Pick<ApprovalRequest, "attemptId" | "exact" | "requestKind">) => ({
  attemptId,
  requestKind,
  actionHash: actionHashOf(exact)
})
