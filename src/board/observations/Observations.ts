import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { defaultLimit, type Page } from "../../kernel/Paging.ts"
import { nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { Storage } from "../../storage/Storage.ts"
import type { ClaimTakenOver, TaskNotFound } from "../tasks/Errors.ts"
import { requireTask, requireWritable, titlesOf } from "../tasks/Units.ts"
import { ObservationNotFound } from "./Errors.ts"
import { ObservationCreated, ObservationDeleted } from "./Events.ts"
import { create, type Observation, type TaskObservationDraft } from "./Observation.ts"
import * as ObservationRepo from "./ObservationRepo.ts"
import type { ObservationFilter, ObservationMatches, ObservationSearch } from "./ObservationSearch.ts"

/** What people and agents noticed while they worked on a task. */
export interface ObservationsService {
  readonly create: (
    taskId: string,
    draft: TaskObservationDraft,
    by: ActorContext
  ) => Effect.Effect<Observation, TaskNotFound | ClaimTakenOver>
  readonly ofTask: (taskId: string, limit?: number) => Effect.Effect<ReadonlyArray<Observation>, TaskNotFound>
  readonly list: (filter: typeof ObservationFilter.Type) => Effect.Effect<Page<Observation>>
  readonly search: (search: typeof ObservationSearch.Type) => Effect.Effect<typeof ObservationMatches.Type>
  /** Deletes an observation; with a task, only if it is about that task. */
  readonly remove: (
    observation: { readonly id: string; readonly taskId?: string },
    by: ActorContext
  ) => Effect.Effect<void, ObservationNotFound | ClaimTakenOver>
}

export class Observations extends Context.Tag("muster/Observations")<Observations, ObservationsService>() {
  static readonly layer = Layer.effect(
    Observations,
    Effect.map(Storage, (storage) =>
      Observations.of({
        create: Effect.fn("Observations.create")(function* (taskId, draft, by) {
          const unit = Effect.gen(function* () {
            yield* requireWritable(taskId, by)
            const id = yield* newId("obs")
            const observation = create(draft, { id, taskId, at: yield* nowIso, by: by.name })
            yield* ObservationRepo.insert(observation)
            const { importance, type } = observation
            yield* Journal.record(new ObservationCreated({ resourceId: id, taskId, type, importance }), by)
            return observation
          })
          return yield* storage.write(unit)
        }),
        ofTask: (taskId, limit = defaultLimit) =>
          storage.read(Effect.zipRight(requireTask(taskId), ObservationRepo.newestOf(taskId, limit))),
        list: ({ limit = defaultLimit, q, type }) =>
          ObservationRepo.page(storage, { holding: q, type }, { limit }),
        search: Effect.fn("Observations.search")(function* ({ limit = 20, offset = 0, query }) {
          const { items, total } = yield* ObservationRepo.page(storage, { holding: query }, { limit, offset })
          const titleOf = yield* storage.read(titlesOf(items.map(({ taskId }) => taskId)))
          const results = items.map((observation) => ({
            ...observation,
            taskTitle: titleOf.get(observation.taskId) ?? observation.taskId
          }))
          return { success: true as const, results, total, limit, offset }
        }),
        remove: Effect.fn("Observations.remove")(function* ({ id, taskId }, by) {
          const unit = Effect.gen(function* () {
            const removed = yield* ObservationRepo.remove(id, taskId)
            if (removed === undefined) return yield* new ObservationNotFound({ observationId: id })
            // One whose task is gone went with it.
            yield* Effect.catchTag(requireWritable(removed, by), "TaskNotFound", Effect.die)
            yield* Journal.record(new ObservationDeleted({ resourceId: id, taskId: removed }), by)
          })
          yield* storage.write(unit)
        })
      })
    )
  )
}
