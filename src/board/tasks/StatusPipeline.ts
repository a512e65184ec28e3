import { Effect } from "effect"
import { iso, now } from "../../kernel/Time.ts"
import type { Event } from "../../storage/events/Event.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as ColumnRepo from "./ColumnRepo.ts"
import type { StatusRefused, TaskFull } from "./Errors.ts"
import type { StatusChanged } from "./Events.ts"
import type { StatusChange, StatusRulesService } from "./StatusRules.ts"
import type { StoredTask, TaskStatus } from "./Task.ts"
import { commit, type Write } from "./TaskChange.ts"
import type * as TaskRepo from "./TaskRepo.ts"

/** How many changes of its status a task remembers. */
const historyLimit = 100

/** Where a task is put in its new column; without an index, at its end. An index beyond the end means the end. */
export interface Placement {
  readonly status: TaskStatus
  readonly index?: number
}

/**
 * The one way in which a task changes its status, for patch, move, bulk update and the completion of runs: gates first,
 * then the change with its automation in one unit. A write that leaves the status alone passes no gate.
 */
export const changeStatus = (
  rules: StatusRulesService,
  before: TaskRepo.TaskRow,
  after: StoredTask,
  placement: Placement,
  write: Write,
  happened: (changed: StatusChanged) => Event
): Effect.Effect<TaskRepo.TaskRow, StatusRefused | TaskFull, Sql> => {
  const from = before.task.status
  const to = placement.status
  if (from === to) {
    return Effect.flatMap(reposition(before, placement), (position) =>
      commit(before, { task: after, position }, write, happened)
    )
  }
  return Effect.gen(function* () {
    const at = yield* now
    const change: StatusChange = {
      task: withStatus(after, to, write.by.name, at),
      from,
      to,
      by: write.by,
      agent: write.agent ?? write.by.name,
      at
    }
    yield* rules.admit(change)
    yield* ColumnRepo.closeGap(from, before.position)
    const size = yield* ColumnRepo.columnSize(to)
    const position = Math.min(placement.index ?? size, size)
    if (position < size) yield* ColumnRepo.openGap(to, position)
    const task = yield* rules.automate(change)
    return yield* commit(before, { task, position }, write, (changed) => happened({ ...changed, from, to }))
  })
}

const withStatus = (task: StoredTask, to: TaskStatus, by: string, at: number): StoredTask => ({
  ...task,
  status: to,
  statusHistory: [...task.statusHistory, { from: task.status, to, at: iso(at), by }].slice(-historyLimit)
})

/** Moves a task within its column, and gives its new position. */
const reposition = (
  before: TaskRepo.TaskRow,
  { status, index }: Placement
): Effect.Effect<number, never, Sql> => {
  if (index === undefined) return Effect.succeed(before.position)
  return Effect.gen(function* () {
    const last = (yield* ColumnRepo.columnSize(status)) - 1
    const position = Math.min(index, last)
    if (position === before.position) return position
    // The task stands aside while its neighbours close up and make room; its own row is written by the commit.
    yield* ColumnRepo.place(before.row, -1)
    yield* ColumnRepo.closeGap(status, before.position)
    yield* ColumnRepo.openGap(status, position)
    return position
  })
}
