import { Effect } from "effect"
import type { OperationReused } from "../../kernel/OperationReused.ts"
import * as Idempotency from "../../storage/Idempotency.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as ColumnRepo from "./ColumnRepo.ts"
import { MoveSourceChanged, PreconditionMissing, type StatusRefused, type TaskFull } from "./Errors.ts"
import { TaskMoved } from "./Events.ts"
import type { Move } from "./Move.ts"
import { changeStatus } from "./StatusPipeline.ts"
import type { StatusRulesService } from "./StatusRules.ts"
import type { Task } from "./Task.ts"
import { findForWrite, type Write, type WriteRefused } from "./TaskChange.ts"
import * as TaskRepo from "./TaskRepo.ts"

/** Why a move is refused. */
export type MoveRefused =
  | WriteRefused
  | StatusRefused
  | TaskFull
  | PreconditionMissing
  | MoveSourceChanged
  | OperationReused

/** What a move did: the task after it, and the order of the column that it came to. */
export interface Moved {
  readonly task: Task
  readonly orderedTaskIds: ReadonlyArray<string>
}

/**
 * Moves a card once for its operation id. A repeated move comes before every other check: its revision is stale by
 * construction, because the first run raised it.
 */
export const moveTask = (
  rules: StatusRulesService,
  id: string,
  move: Move,
  write: Write
): Effect.Effect<Idempotency.Outcome<Moved>, MoveRefused, Sql> => {
  const { operationId, ...input } = move
  return moveOnce(rules, id, move, write).pipe(
    // The letters of a UUID have no case, so it is no part of the input either.
    Idempotency.once({ scope: "move", id: operationId.toLowerCase(), input: { taskId: id, ...input } })
  )
}

const moveOnce = (
  rules: StatusRulesService,
  id: string,
  move: Move,
  write: Write
): Effect.Effect<Moved, MoveRefused, Sql> =>
  Effect.gen(function* () {
    if (!write.precondition.given) {
      const message = "A move must say which revision it was based on: send If-Match or X-Resource-Revision"
      return yield* new PreconditionMissing({ issues: [{ path: "if-match", message }] })
    }
    const before = yield* findForWrite(id, write)
    const { position, task } = before
    if (task.status !== move.sourceStatus || position !== move.sourcePosition) {
      return yield* new MoveSourceChanged({
        resourceType: "task",
        resourceId: id,
        expectedStatus: move.sourceStatus,
        expectedPosition: move.sourcePosition,
        currentStatus: task.status,
        currentPosition: position,
        currentRevision: task.revision
      })
    }
    const placement = { status: move.destinationStatus, index: move.destinationIndex }
    const moved = yield* changeStatus(
      rules,
      before,
      task,
      placement,
      write,
      (changed) => new TaskMoved(changed)
    )
    const column = yield* ColumnRepo.orderedIds(move.destinationStatus)
    return {
      task: yield* TaskRepo.shown(moved),
      orderedTaskIds: column.map((member) => member.id)
    }
  })
