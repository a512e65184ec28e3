import { Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"
import {
  AttemptEvidenceInvalid,
  AttemptHoldsEvidence,
  type IdentityConflict,
  type StatusRefused,
  type TaskFull
} from "./Errors.ts"
import { TaskUpdated } from "./Events.ts"
import * as Identities from "./IdentityRepo.ts"
import { changeStatus } from "./StatusPipeline.ts"
import type { StatusRulesService } from "./StatusRules.ts"
import { applyPatch, identitiesOf, namedFields, type StoredTask, type TaskPatch } from "./Task.ts"
import { findForWrite, identityConflict, type Write, type WriteRefused } from "./TaskChange.ts"
import type * as TaskRepo from "./TaskRepo.ts"

/** Why a patch is refused. */
export type PatchRefused =
  | WriteRefused
  | StatusRefused
  | AttemptEvidenceInvalid
  | AttemptHoldsEvidence
  | TaskFull

/** The evidence of a run: what the service wrote into an attempt, and no client can. */
const evidence = ["taskEnvelope", "completionResult"] as const

/**
 * Changes the fields that a patch names; a new status goes through the status pipeline. A patch that names nothing
 * changes nothing, the revision included; one that names fields raises the revision even if their values are the same.
 */
export const patchTask = (
  rules: StatusRulesService,
  id: string,
  patch: TaskPatch,
  write: Write
): Effect.Effect<TaskRepo.TaskRow, PatchRefused, Sql> =>
  Effect.flatMap(findForWrite(id, write), (before) => {
    const refusal = patch.attempt === undefined ? Effect.void : refuseEvidence(before.task, patch.attempt)
    return Effect.zipRight(refusal, change(rules, before, patch, write))
  })

const change = (
  rules: StatusRulesService,
  before: TaskRepo.TaskRow,
  patch: TaskPatch,
  write: Write
): Effect.Effect<TaskRepo.TaskRow, PatchRefused, Sql> => {
  const fields = namedFields(patch)
  if (fields.length === 0) return Effect.succeed(before)
  const after = applyPatch(before.task, patch)
  const placement = { status: patch.status ?? before.task.status }
  return Effect.zipRight(
    refuseTakenIdentities(before, after, write.operation),
    changeStatus(rules, before, after, placement, write, (changed) => new TaskUpdated({ ...changed, fields }))
  )
}

const refuseEvidence = (
  task: StoredTask,
  attempt: Readonly<Record<string, unknown>>
): Effect.Effect<void, AttemptEvidenceInvalid | AttemptHoldsEvidence> => {
  const stored = task.attempt ?? {}
  const authored = evidence.filter(
    (field) => attempt[field] !== undefined && !sameJson(attempt[field], stored[field])
  )
  if (authored.length > 0) {
    return Effect.fail(
      new AttemptEvidenceInvalid({
        issues: authored.map((field) => ({
          path: `attempt.${field}`,
          message: "This is evidence of a run: the service alone writes it"
        }))
      })
    )
  }
  const holdsEvidence = evidence.some((field) => stored[field] !== undefined)
  return holdsEvidence && attempt["id"] !== stored["id"]
    ? Effect.fail(new AttemptHoldsEvidence({ taskId: task.id }))
    : Effect.void
}

const sameJson = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** Fails when another task holds an identity that a change claims. */
export const refuseTakenIdentities = (
  before: TaskRepo.TaskRow,
  after: StoredTask,
  operation: string
): Effect.Effect<void, IdentityConflict, Sql> => {
  if (before.task.externalWorkItems === after.externalWorkItems && before.task.git === after.git) {
    return Effect.void
  }
  const held = identitiesOf(before.task)
  const claimed = identitiesOf(after).filter((key) => !held.includes(key))
  return Effect.flatMap(Identities.taken(before.row, claimed), (conflicts) =>
    conflicts.length === 0 ? Effect.void : identityConflict(operation, before.task.id, conflicts)
  )
}
