import type { Task, TaskStatus } from "../../board/tasks/Task.ts"
import { duration } from "../../client/Duration.ts"
import { after, behind, oneLine } from "../../kernel/Foreign.ts"
import type { Paint } from "./Paint.ts"

/** The margin of a text with several lines: no line of the task's own form begins with it. */
export const indent = "  "

/** A status in its colour. */
export const statusText = (status: TaskStatus, paint: Paint): string => {
  switch (status) {
    case "in-progress":
      return paint.cyan(status)
    case "blocked":
      return paint.red(status)
    case "done":
      return paint.green(status)
    case "backlog":
    case "cancelled":
      return paint.dim(status)
    case "todo":
      return status
  }
}

/** A task as it is named in a sentence. */
export const taskName = ({ id, title }: Pick<Task, "id" | "title">, paint: Paint): string =>
  `${paint.bold(id)} ${oneLine(title)}`

/** A table with a line for each task; titles are cut to the width of the terminal. */
export const taskTable = (tasks: ReadonlyArray<Task>, paint: Paint, width: number | undefined): string => {
  const idWidth = Math.max(2, ...tasks.map(({ id }) => id.length))
  const head = `${"ID".padEnd(idWidth)}  ${"STATUS".padEnd(11)}  ${"PRIORITY".padEnd(8)}  TITLE`
  const titleWidth = width === undefined ? Number.POSITIVE_INFINITY : Math.max(10, width - idWidth - 25)
  const lines = tasks.map(({ id, priority, status, title }) => {
    const shown = statusText(status, paint) + " ".repeat(11 - status.length)
    return `${paint.bold(id.padEnd(idWidth))}  ${shown}  ${priority.padEnd(8)}  ${cut(oneLine(title), titleWidth)}`
  })
  return [paint.dim(head), ...lines].join("\n")
}

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}…`

/** A task with everything that a person wants to see of it. */
export const taskText = (task: Task, paint: Paint): string => {
  const field = (name: string, value: string | undefined) =>
    value === undefined || value === "" ? [] : [`${paint.dim(`${name}:`.padEnd(14))}${oneLine(value)}`]
  const section = (name: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : ["", paint.dim(name), ...lines]
  return [
    taskName(task, paint),
    ...field("status", `${task.status}${task.archived ? " (archived)" : ""}`),
    ...field("priority", task.priority),
    ...field("type", task.type),
    ...field("project", task.project),
    ...field("assignee", task.assignee),
    ...field("agents", task.agents.join(", ")),
    ...field("labels", task.labels.join(", ")),
    ...field("depends on", task.dependencies.join(", ")),
    ...field("time", timeText(task)),
    ...field("created", `${task.createdAt} by ${task.createdBy}`),
    ...field("updated", `${task.updatedAt} by ${task.updatedBy}, revision ${task.revision}`),
    ...section("Description", task.description ? behind(indent, task.description) : []),
    ...section(
      "Acceptance criteria",
      task.acceptanceCriteria.map(({ done, text }) => `[${done ? "x" : " "}] ${oneLine(text)}`)
    ),
    ...section("Summary", task.completionSummary ? behind(indent, task.completionSummary) : []),
    ...section("Lessons", task.lessonsLearned ? behind(indent, task.lessonsLearned) : []),
    ...section(
      "Comments",
      task.comments.map(({ author, createdAt, text }) =>
        after(paint.dim(`${createdAt} ${oneLine(author)}:`), indent, text)
      )
    )
  ].join("\n")
}

const timeText = ({ timeTracking }: Task): string | undefined =>
  timeTracking.entries.length === 0
    ? undefined
    : `${duration(timeTracking.totalMs)}${timeTracking.isRunning ? ", the timer is running" : ""}`
