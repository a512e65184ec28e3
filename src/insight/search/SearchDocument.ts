import type { StoredTask } from "../../board/tasks/Task.ts"
import { sha256 } from "../../kernel/Digest.ts"
import { redactText } from "../../kernel/Redaction.ts"
import type { Collection } from "./Search.ts"

/** The most characters of a text that can be found. */
export const textLimit = 100_000

/** A text that can be found. `key` is unique over all collections. */
export interface SearchDocument {
  readonly key: string
  readonly id: string
  readonly collection: Collection
  readonly path: string
  readonly title: string
  readonly text: string
}

/** The key of a task. */
export const taskKey = (id: string): string => `task:${id}`

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

/** What the embedding of a document stands for: when it changes, the document is embedded again. */
export const hashOf = ({ text, title }: SearchDocument): string => sha256(`${title}\n${text}`)
