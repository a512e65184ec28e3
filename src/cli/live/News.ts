import type { Task } from "../../board/tasks/Task.ts"
import { oneLine } from "../../kernel/Foreign.ts"
import type { Paint } from "../text/Paint.ts"
import { statusText, taskName } from "../text/TaskText.ts"

/** The fields whose change is news. Timers, places in a column and revisions move with nearly every write. */
const fields = [
  "title",
  "description",
  "priority",
  "type",
  "project",
  "assignee",
  "agents",
  "labels",
  "dependencies",
  "acceptanceCriteria",
  "reviewScores",
  "archived"
] as const satisfies ReadonlyArray<keyof Task>

/** The width of the first column: the longest status. */
const column = "in-progress".length

const changed = (before: Task, now: Task): ReadonlyArray<string> =>
  fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(now[field]))

/**
 * What is new about a task, on one line: its status, a comment, or the fields that changed, and who changed them. One
 * write of a person often causes several by the server: those that change nothing visible give no line.
 */
export const taskNews = (before: Task | undefined, now: Task, paint: Paint): string | undefined => {
  const about = `${taskName(now, paint)} ${paint.dim(`(${oneLine(now.updatedBy)})`)}`
  const comment = now.comments.at(-1)
  if (before === undefined || before.status !== now.status) {
    return `${statusText(now.status, paint)}${" ".repeat(column - now.status.length)}  ${about}`
  }
  if (comment !== undefined && now.comments.length > before.comments.length) {
    return `${"comment".padEnd(column)}  ${about}: ${oneLine(comment.text)}`
  }
  const names = changed(before, now)
  return names.length === 0 ? undefined : `${"changed".padEnd(column)}  ${about}: ${names.join(", ")}`
}
