import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as ColumnRepo from "./ColumnRepo.ts"
import type { IdentityConflict } from "./Errors.ts"
import { TaskCreated } from "./Events.ts"
import * as Identities from "./IdentityRepo.ts"
import { create, identitiesOf, type TaskDraft } from "./Task.ts"
import { identityConflict } from "./TaskChange.ts"
import * as TaskRepo from "./TaskRepo.ts"

/** Adds a task at the end of its column. Its id, if it brings one, and its external identities must be free. */
export const createTask = (
  draft: TaskDraft,
  by: ActorContext
): Effect.Effect<TaskRepo.TaskRow, IdentityConflict, Sql> =>
  Effect.gen(function* () {
    const id = draft.id ?? (yield* newId("task"))
    const task = create(draft, { id, at: yield* nowIso, by: by.name })
    const conflicts = [
      ...(draft.id === undefined ? [] : yield* Identities.takenId(draft.id)),
      ...(yield* Identities.taken(undefined, identitiesOf(task)))
    ]
    if (conflicts.length > 0) return yield* identityConflict("create", id, conflicts)
    const created = yield* TaskRepo.insert(task, yield* ColumnRepo.columnSize(task.status))
    yield* Journal.record(new TaskCreated({ resourceId: id, revision: 1, to: task.status }), by)
    return created
  })
