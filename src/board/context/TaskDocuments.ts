import { Effect, Layer } from "effect"
import { FindableTasks } from "../../insight/search/FindableTasks.ts"
import { type SearchDocument, taskKey, textLimit } from "../../insight/search/SearchDocument.ts"
import { redactText } from "../../kernel/Redaction.ts"
import type { StoredTask } from "../tasks/Task.ts"
import { findTask } from "../tasks/Units.ts"

/**
 * What can be found of a task: everything that people and agents wrote into it. Long texts lost their secrets when they
 * came in; criteria and names are stored as they were written, and lose them here.
 */
export const documentOfTask = (task: StoredTask): SearchDocument => ({
  key: taskKey(task.id),
  id: task.id,
  collection: task.archived ? "tasks-archive" : "tasks-active",
  path: `tasks/${task.id}`,
  title: task.title,
  text: [
    task.description,
    ...task.acceptanceCriteria.map(({ text }) => redactText(text)),
    task.completionSummary,
    task.lessonsLearned,
    task.progress?.content,
    ...task.comments.map(({ text }) => text),
    [task.id, ...[task.project, task.assignee, ...task.agents, ...task.labels].map(nameOf)]
      .filter((name) => name !== "")
      .join(" ")
  ]
    .filter((part) => part !== undefined && part !== "")
    .join("\n")
    .slice(0, textLimit)
})

const nameOf = (name: string | undefined): string => (name === undefined ? "" : redactText(name))

/** Tasks can be found by everything that was written into them. */
export const TaskDocuments = Layer.succeed(FindableTasks, {
  find: (taskId) => Effect.map(findTask(taskId), (found) => found && documentOfTask(found.task))
})
