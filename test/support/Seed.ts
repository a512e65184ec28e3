import { Effect } from "effect"
import * as ColumnRepo from "../../src/board/tasks/ColumnRepo.ts"
import { create, type StoredTask, type TaskDraft } from "../../src/board/tasks/Task.ts"
import * as TaskRepo from "../../src/board/tasks/TaskRepo.ts"
import { Storage } from "../../src/storage/Storage.ts"

/**
 * Puts a task straight into storage at the end of its column, whatever identity others have: what an import brings, and
 * no create allows. `owned` are fields that no client can write.
 */
export const seedTask = (id: string, draft: Partial<TaskDraft> = {}, owned: Partial<StoredTask> = {}) =>
  Effect.flatMap(Storage, ({ write }) =>
    write(
      Effect.gen(function* () {
        const origin = { id, at: "2026-11-21T09:30:00.000Z", by: "system" }
        const task = { ...create({ title: `Seeded ${id}`, ...draft }, origin), ...owned }
        const position = task.archived
          ? yield* TaskRepo.archiveSize
          : yield* ColumnRepo.columnSize(task.status)
        return yield* TaskRepo.insert(task, position)
      })
    )
  )

/** What a comment in a seeded task has besides its id and its text. */
export const seededComment = {
  author: "ann",
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
  revision: 1,
  createdBy: "ann",
  updatedBy: "ann"
}
