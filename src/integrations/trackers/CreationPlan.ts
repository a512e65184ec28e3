import { Effect } from "effect"
import type {
  ClaimTakenOver,
  IdentityConflict,
  TaskArchived,
  TaskFull,
  TaskNotFound
} from "../../board/tasks/Errors.ts"
import { findForWrite, requireRoom, type Write } from "../../board/tasks/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Issue } from "../../kernel/Failures.ts"
import { newId } from "../../kernel/Ids.ts"
import type { Precondition, RevisionConflict } from "../../kernel/Revision.ts"
import type { SecretsService } from "../../kernel/Secrets.ts"
import { now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { accessTo, refusal, storedSchema } from "./Access.ts"
import { CreateStarted } from "./audits/Events.ts"
import { record } from "./audits/Units.ts"
import type { CreationRequest } from "./Creation.ts"
import * as CreationRepo from "./CreationRepo.ts"
import { type Access, CallFailed, type ExternalItem } from "./Driver.ts"
import {
  TrackerInvalid,
  TrackerItemExists,
  TrackerProfileNotFound,
  type TrackerUnavailable
} from "./Errors.ts"
import * as ProfileRepo from "./ProfileRepo.ts"
import { draftOf, type TrackerPayload } from "./profiles/Payload.ts"
import type { TrackerProfile } from "./profiles/Profile.ts"

/** What a create has left to do: to call the tracker, or to note on the task the item of an earlier create. */
export type CreationPlan =
  | {
      readonly _tag: "Call"
      readonly row: CreationRepo.CreationRow
      readonly access: Access
      readonly payload: TrackerPayload
      readonly warnings: ReadonlyArray<Issue>
      /** Whether an earlier call may have made the item. */
      readonly lookFirst: boolean
    }
  | { readonly _tag: "Link"; readonly row: CreationRepo.CreationRow; readonly item: ExternalItem }

/** Why a create does not begin. */
export type PlanRefused =
  | TrackerProfileNotFound
  | TrackerInvalid
  | TrackerItemExists
  | TrackerUnavailable
  | TaskNotFound
  | TaskArchived
  | ClaimTakenOver
  | TaskFull
  | IdentityConflict
  | RevisionConflict

/** The write on the task that a create ends with. */
export const writeOf = (precondition: Precondition, by: ActorContext): Write => ({
  operation: "tracker-create",
  by,
  precondition
})

/** Finds a profile that a request names. */
export const requireProfile = (id: string): Effect.Effect<TrackerProfile, TrackerProfileNotFound, Sql> =>
  Effect.filterOrFail(
    ProfileRepo.find(id),
    (found) => found !== undefined,
    () => new TrackerProfileNotFound({ profileId: id })
  )

/**
 * Decides what a create has to do, and stores the intent: once this unit is committed, a process that dies leaves a row
 * that says what may have happened.
 */
export const plan = (
  profileId: string,
  { approvedBy, taskId }: CreationRequest,
  precondition: Precondition,
  by: ActorContext,
  findSecret: SecretsService["find"]
): Effect.Effect<CreationPlan, PlanRefused, Sql> =>
  Effect.gen(function* () {
    const profile = yield* requireProfile(profileId)
    const { task } = yield* findForWrite(taskId, writeOf(precondition, by))
    const known = yield* CreationRepo.find(taskId, profileId)
    if (known?.state === "created" && known.item !== undefined) {
      return { _tag: "Link", row: known, item: known.item }
    }
    const linked = known?.item ?? task.externalWorkItems.find((item) => item.profileId === profileId)
    if (linked !== undefined) {
      const { key = "", url } = linked
      return yield* new TrackerItemExists({ taskId, profileId, key, ...(url === undefined ? {} : { url }) })
    }
    const schema = yield* storedSchema.read
    const { errors, payload, warnings } = draftOf(profile, schema, task)
    const issues = [...standingOf(profile, schema?.capabilities.create !== false), ...errors]
    if (issues.length > 0) return yield* new TrackerInvalid({ issues })
    yield* requireRoom(task)
    const access = yield* accessTo(profile.provider, payload.project, findSecret)
    const lookFirst = known?.state === "creating" || known?.state === "unknown"
    if (lookFirst && (known.baseUrl !== access.baseUrl || known.project !== access.project)) {
      const failure = new CallFailed({ reason: "another-target", retryable: false, mayHaveArrived: true })
      return yield* refusal(profile.provider, failure)
    }
    const row: CreationRepo.CreationRow = {
      taskId,
      profileId,
      marker: lookFirst ? known.marker : yield* newId("create"),
      state: "creating",
      provider: profile.provider,
      baseUrl: access.baseUrl,
      project: access.project,
      sentAt: lookFirst ? known.sentAt : yield* now,
      actor: by.name,
      approvedBy
    }
    yield* CreationRepo.save(row)
    yield* record(new CreateStarted(factsOf(row)), by, row)
    return { _tag: "Call", row, access, payload, warnings, lookFirst }
  })

/** What rules out a create whatever the task. */
export const standingOf = ({ enabled }: TrackerProfile, takesItems: boolean): ReadonlyArray<Issue> => [
  ...(enabled ? [] : [{ path: "enabled", message: "The profile is switched off" }]),
  ...(takesItems
    ? []
    : [{ path: "provider", message: "The project of the latest schema takes no new items" }])
]

/** The fields that every event of a create has. */
export const factsOf = ({ profileId, project, provider, taskId }: CreationRepo.CreationRow) => ({
  resourceId: profileId,
  provider,
  project,
  taskId
})
