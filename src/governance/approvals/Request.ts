import { Duration } from "effect"
import { clip, isVisible } from "../../kernel/Characters.ts"
import { digest } from "../../kernel/Digest.ts"
import { printable } from "../../kernel/Foreign.ts"
import { redactText } from "../../kernel/Redaction.ts"
import { isClean } from "../../kernel/Text.ts"
import { iso } from "../../kernel/Time.ts"
import {
  actionClassOf,
  actionHashOf,
  isMobileSafe,
  type RequestKind,
  type RiskClass,
  type RunApproval
} from "./RunApproval.ts"

/** How long an approval waits for an answer, and for its use, where the asker does not say (decision 70). */
export const defaultLifetime = Duration.minutes(30)

/** How many approvals of one attempt wait at the most: an agent that asks without end asks nobody. */
export const pendingLimit = 100

/** How much of what an agent says of its action is kept: the hash stands for all of it. */
const limits = { action: 2_000, scopes: 50, scope: 500, path: 4_096, name: 200 }

/** What a run asks a person for. */
export interface ApprovalRequest {
  readonly taskId: string
  readonly attemptId: string
  readonly provider: string
  /** The agent's type or id (ruling 105). */
  readonly agentId: string
  readonly requestKind: RequestKind
  /** The action in words that a person understands. */
  readonly action: string
  /** The action exactly as it would be carried out, as JSON: its digest is what the answer is bound to. */
  readonly exact: unknown
  readonly resourceScope?: ReadonlyArray<string>
  readonly workingDirectory?: string
  readonly riskClass: RiskClass
  /** The state of the evidence that it was asked at: a digest, or a sequence as text. */
  readonly evidenceRevision: string
  /** What the provider calls its request: the same one of the same attempt is one approval. */
  readonly providerRequestId: string
  /** True for a tool that says it only reads (`readOnlyHint`; ACP kinds read and search). */
  readonly readsOnly?: boolean
  readonly lifetime?: Duration.DurationInput
}

/** Foreign text as people may be shown it: without secrets, and without what makes it look like another text. */
const shown = (text: string, max: number): string => clip(printable(redactText(text)), max)

/**
 * The id of a request as it is stored. It has to stay what it is to be found again, so one that is too long, holds a
 * secret or is no text is stored by its digest.
 */
export const requestIdOf = (id: string): string =>
  id.length <= limits.name && isClean(id) && redactText(id) === id ? id : digest(id.toWellFormed())

/** The approval that waits for an answer to a request. */
export const create = (
  request: ApprovalRequest,
  origin: { readonly id: string; readonly at: number; readonly workspaceId: string }
): RunApproval => {
  const { readsOnly = false, requestKind, riskClass, workingDirectory } = request
  const action = shown(request.action, limits.action)
  const lifetime = Duration.toMillis(request.lifetime ?? defaultLifetime)
  return {
    schemaVersion: "run-approval/v1",
    id: origin.id,
    workspaceId: origin.workspaceId,
    taskId: request.taskId,
    attemptId: request.attemptId,
    provider: shown(request.provider, limits.name),
    agentId: shown(request.agentId, limits.name),
    requestKind,
    actionClass: actionClassOf[requestKind],
    action: isVisible(action) ? action : requestKind,
    actionHash: actionHashOf(request.exact),
    resourceScope: (request.resourceScope ?? [])
      .slice(0, limits.scopes)
      .map((scope) => shown(scope, limits.scope)),
    workingDirectory: workingDirectory === undefined ? null : shown(workingDirectory, limits.path),
    riskClass,
    evidenceRevision: shown(request.evidenceRevision, limits.name),
    providerRequestId: requestIdOf(request.providerRequestId),
    mobileSafe: isMobileSafe({ requestKind, riskClass, readsOnly }),
    status: "pending",
    revision: 1,
    createdAt: iso(origin.at),
    updatedAt: iso(origin.at),
    expiresAt: iso(origin.at + lifetime)
  }
}
