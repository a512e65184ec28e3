import { Effect } from "effect"
import type { TaskFull } from "../../board/tasks/Errors.ts"
import type { Backlink } from "../../board/tasks/TaskParts.ts"
import { linkItem, type WriteRefused } from "../../board/tasks/Units.ts"
import { type ActorContext, system } from "../../kernel/Actor.ts"
import { type Precondition, unconditional } from "../../kernel/Revision.ts"
import type { SecretsService } from "../../kernel/Secrets.ts"
import { iso, now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { StorageService } from "../../storage/Storage.ts"
import { refusal } from "./Access.ts"
import { CreateFailed, CreateLinked, CreateLost, CreateSucceeded } from "./audits/Events.ts"
import { record } from "./audits/Units.ts"
import { type CreationRequest, settleMs, type TrackerCreation } from "./Creation.ts"
import { type CreationPlan, factsOf, type PlanRefused, plan, writeOf } from "./CreationPlan.ts"
import * as CreationRepo from "./CreationRepo.ts"
import { CallFailed, type ExternalItem, type TrackerDriver } from "./Driver.ts"
import { TrackerCreateUnderWay, type TrackerUnavailable } from "./Errors.ts"
import type { TrackerProvider } from "./profiles/Provider.ts"

/** What a create needs. `underWay` holds the keys of the creates that run in this process. */
export interface Means {
  readonly storage: StorageService
  readonly secrets: SecretsService
  readonly drivers: Readonly<Record<TrackerProvider, TrackerDriver>>
  readonly underWay: Set<string>
}

/** Why a create made nothing, or made an item that could not be noted on the task. */
export type CreateRefused = PlanRefused | TrackerUnavailable | TrackerCreateUnderWay | WriteRefused | TaskFull

/**
 * Makes an item at the tracker, once for a task and a profile, whatever happens in between: the intent is stored, the
 * tracker is called, its item is stored, and the item is noted on the task. What is interrupted between two steps is
 * finished by the next request or at the next start.
 */
export const createItem = (
  profileId: string,
  request: CreationRequest,
  precondition: Precondition,
  by: ActorContext,
  means: Means
): Effect.Effect<TrackerCreation, CreateRefused> => {
  const { taskId } = request
  return alone(
    { taskId, profileId },
    means.underWay,
    Effect.gen(function* () {
      const { secrets, storage } = means
      const planned = yield* storage.write(plan(profileId, request, precondition, by, secrets.find))
      const warnings = planned._tag === "Call" ? planned.warnings : []
      const row = planned._tag === "Call" ? yield* call(planned, by, means) : planned.row
      const backlink = yield* storage.write(link(row, by))
      return { externalWrite: true as const, taskId, profileId, backlink, warnings }
    })
  )
}

/** One create for a task and a profile at a time: a second one is refused at once. */
const alone = <A, E>(
  key: { readonly taskId: string; readonly profileId: string },
  underWay: Set<string>,
  work: Effect.Effect<A, E>
): Effect.Effect<A, E | TrackerCreateUnderWay> => {
  const name = JSON.stringify([key.taskId, key.profileId])
  return Effect.acquireUseRelease(
    Effect.suspend(() => {
      if (underWay.has(name)) return Effect.fail(new TrackerCreateUnderWay({ ...key, retryable: true }))
      underWay.add(name)
      return Effect.void
    }),
    () => work,
    () => Effect.sync(() => underWay.delete(name))
  )
}

type Call = Extract<CreationPlan, { readonly _tag: "Call" }>
type Made = CreationRepo.CreationRow & { readonly item: ExternalItem }

/** Makes the item at the tracker, or finds the one of an earlier call, and stores what came of it. */
const call = (
  planned: Call,
  by: ActorContext,
  { drivers, storage }: Means
): Effect.Effect<Made, TrackerUnavailable> =>
  Effect.gen(function* () {
    const { access, lookFirst, payload, row } = planned
    const driver = drivers[row.provider]

    const giveUp = (failed: CreationRepo.CreationRow) => (failure: CallFailed) =>
      Effect.zipRight(storage.write(noteFailure(failed, failure, by)), refusal(row.provider, failure))

    const found = lookFirst ? yield* look(driver, planned).pipe(Effect.catchAll(giveUp(row))) : undefined
    if (found !== undefined) return yield* storage.write(noteItem(row, found, by))
    if (lookFirst) yield* storage.write(CreationRepo.note({ ...row, sentAt: yield* now }))
    const item = yield* driver
      .create(access, { payload, marker: row.marker })
      .pipe(
        Effect.catchAll((failure) => Effect.flatMap(now, (sentAt) => giveUp({ ...row, sentAt })(failure)))
      )
    return yield* storage.write(noteItem(row, item, by))
  })

/**
 * Looks for what an earlier call may have made. That it is missing is believed only once the earlier call can no longer
 * be under way, on the network or at the tracker.
 */
const look = (
  driver: TrackerDriver,
  { access, row }: Call
): Effect.Effect<ExternalItem | undefined, CallFailed> =>
  Effect.gen(function* () {
    const found = yield* driver.find(access, row.marker, row.sentAt)
    const retryAfterMs = row.sentAt + settleMs - (yield* now)
    if (found !== undefined || retryAfterMs <= 0) return found
    return yield* new CallFailed({
      reason: "not-settled",
      retryable: true,
      retryAfterMs,
      mayHaveArrived: true
    })
  }).pipe(
    // However the look-up fails, the outcome of the earlier call stays unknown.
    Effect.mapError((failure) => new CallFailed({ ...failure, mayHaveArrived: true }))
  )

const noteFailure = (
  row: CreationRepo.CreationRow,
  { mayHaveArrived, reason }: CallFailed,
  by: ActorContext
): Effect.Effect<void, never, Sql> => {
  const failure = { ...factsOf(row), reason }
  return Effect.zipRight(
    CreationRepo.note({ ...row, state: mayHaveArrived ? "unknown" : "failed" }),
    record(mayHaveArrived ? new CreateLost(failure) : new CreateFailed(failure), by, row)
  )
}

const noteItem = (
  row: CreationRepo.CreationRow,
  item: ExternalItem,
  by: ActorContext
): Effect.Effect<Made, never, Sql> => {
  const made: Made = { ...row, state: "created", item }
  return CreationRepo.note(made).pipe(
    Effect.zipRight(record(new CreateSucceeded({ ...factsOf(row), externalKey: item.key }), by, row)),
    Effect.as(made)
  )
}

/** Notes on the task the item that was made for it. */
const link = (
  row: CreationRepo.CreationRow,
  by: ActorContext
): Effect.Effect<Backlink, WriteRefused | TaskFull, Sql> =>
  Effect.gen(function* () {
    const { approvedBy, item, profileId, provider, taskId } = row
    if (item === undefined) return yield* Effect.dieMessage(`Nothing was made for task ${taskId}`)
    const backlink: Backlink = { provider, ...item, profileId, createdAt: iso(yield* now), approvedBy }
    // The item is noted on the task as it is now, even when the task has changed since the request.
    yield* linkItem(taskId, backlink, writeOf(unconditional, by))
    yield* CreationRepo.note({ ...row, state: "linked" })
    yield* record(new CreateLinked({ ...factsOf(row), externalKey: item.key }), by, row)
    return backlink
  })

/**
 * Finishes what a process left behind when it died: calls whose answer is lost, and items that are not noted on their
 * task.
 */
export const repair = (storage: StorageService): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* storage.write(
      Effect.flatMap(
        CreationRepo.inState("creating"),
        Effect.forEach(
          (row) =>
            noteFailure(
              row,
              new CallFailed({ reason: "interrupted", retryable: true, mayHaveArrived: true }),
              system
            ),
          { discard: true }
        )
      )
    )
    for (const row of yield* storage.read(CreationRepo.inState("created"))) {
      yield* storage
        .write(link(row, system))
        .pipe(
          Effect.catchAll(({ _tag }) =>
            Effect.logWarning(`The item ${row.item?.key} is not noted on task ${row.taskId}: ${_tag}`)
          )
        )
    }
  })
