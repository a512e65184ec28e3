import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Precondition } from "../../kernel/Revision.ts"
import { iso, now } from "../../kernel/Time.ts"
import type { Event } from "../../storage/events/Event.ts"
import { Storage } from "../../storage/Storage.ts"
import { TaskFull, type TaskNotFound } from "../tasks/Errors.ts"
import type { Changed } from "../tasks/Events.ts"
import type { StoredTask } from "../tasks/Task.ts"
import type { Progress as ProgressPart } from "../tasks/TaskParts.ts"
import { commit, findForWrite, requireTask, type Write, type WriteRefused } from "../tasks/Units.ts"
import { ProgressAppended, ProgressSet } from "./Events.ts"
import { contentLimit, type ProgressAppend, type TaskProgress } from "./TaskProgress.ts"

/** The most entries that a task's progress holds. */
const entryLimit = 1_000

/** How far tasks are. Progress is part of the task: every change raises the task's revision. */
export interface ProgressService {
  readonly get: (id: string) => Effect.Effect<TaskProgress, TaskNotFound>
  readonly set: (
    id: string,
    content: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<TaskProgress, WriteRefused | TaskFull>
  readonly append: (
    id: string,
    entry: typeof ProgressAppend.Type,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<TaskProgress, WriteRefused | TaskFull>
}

export class Progress extends Context.Tag("muster/Progress")<Progress, ProgressService>() {
  static readonly layer = Layer.effect(
    Progress,
    Effect.map(Storage, (storage) =>
      Progress.of({
        get: (id) => Effect.map(storage.read(requireTask(id)), ({ task }) => progressOf(task)),
        set: Effect.fn("Progress.set")((id, content, precondition, by) =>
          storage.write(
            change(
              id,
              { operation: "progress", by, precondition },
              (changed) => new ProgressSet(changed),
              (progress, at) => ({
                ...progress,
                content,
                updatedAt: at
              })
            )
          )
        ),
        append: Effect.fn("Progress.append")(
          (id, { content, section, text: line = content ?? "" }, precondition, by) =>
            storage.write(
              change(
                id,
                { operation: "progress", by, precondition },
                (changed) => new ProgressAppended(changed),
                (progress, at) => ({
                  content: progress.content === "" ? line : `${progress.content}\n${line}`,
                  entries: [
                    ...progress.entries,
                    {
                      text: line,
                      ...(section === undefined ? {} : { section }),
                      createdAt: at,
                      createdBy: by.name
                    }
                  ],
                  updatedAt: at
                })
              )
            )
        )
      })
    )
  )
}

const progressOf = (task: StoredTask): TaskProgress => ({
  taskId: task.id,
  ...(task.progress ?? { content: "", entries: [], updatedAt: null })
})

const change = (
  id: string,
  write: Write,
  happened: (changed: Changed) => Event,
  next: (progress: ProgressPart, at: string) => ProgressPart
) =>
  Effect.gen(function* () {
    const before = yield* findForWrite(id, write)
    const at = iso(yield* now)
    const progress = next(before.task.progress ?? { content: "", entries: [], updatedAt: at }, at)
    if (progress.entries.length > entryLimit) {
      return yield* new TaskFull({ taskId: id, field: "progress.entries", limit: entryLimit })
    }
    if (progress.content.length > contentLimit) {
      return yield* new TaskFull({ taskId: id, field: "progress.content", limit: contentLimit })
    }
    const after = yield* commit(before, { task: { ...before.task, progress } }, write, happened)
    return progressOf(after.task)
  })
