import type { WaitingApproval } from "../board/context/TaskContext.ts"
import type { Observation } from "../board/observations/Observation.ts"
import type { Task } from "../board/tasks/Task.ts"
import { duration } from "../client/Duration.ts"
import { after, behind, oneLine, printable } from "../kernel/Foreign.ts"
import { integer } from "../kernel/Text.ts"

/*
 * The board as a model reads it: plain lines, newest first, and bounded, because every character costs.
 */

/** The length of an answer when the call does not give one, in characters. */
const defaultChars = 12_000

/** How long an answer may be, in characters. */
export const MaxChars = integer(1_000, 200_000).annotations({
  description: `Longest answer in characters, ${defaultChars} when absent`
})

/** The text on one line of at most `max` characters. */
export const line = (text: string, max: number): string => {
  const flat = oneLine(text)
  return flat.length <= max ? flat : `${flat.slice(0, max - 1).toWellFormed()}…`
}

/** An answer of bounded length. When it is cut, it says how long it is in full, and how to get the rest. */
export const bounded = (lines: ReadonlyArray<string>, maxChars: number = defaultChars): string =>
  cut(lines, maxChars, "call again with a larger maxChars")

/** The same for a list, which says how to narrow it. */
export const boundedList = (lines: ReadonlyArray<string>, remedy: string): string =>
  cut(lines, defaultChars, remedy)

const cut = (lines: ReadonlyArray<string>, maxChars: number, remedy: string): string => {
  const text = lines.join("\n")
  return text.length <= maxChars
    ? text
    : `${text.slice(0, maxChars).toWellFormed()}\n[cut at ${maxChars} of ${text.length} characters; ${remedy}]`
}

/**
 * The mark before each line of a text with several lines, so that a model takes none of them for the board's own words:
 * not for a heading, not for a fact, not for another comment.
 */
const quote = "> "

/** Cuts a text to half of an answer, so that it does not push out everything else, and says that it was cut. */
const half = (
  text: string,
  maxChars: number = defaultChars
): { readonly kept: string; readonly cut: ReadonlyArray<string> } => {
  const shown = printable(text)
  const max = Math.floor(maxChars / 2)
  return shown.length <= max
    ? { kept: shown, cut: [] }
    : {
        kept: shown.slice(0, max).toWellFormed(),
        cut: [`[cut at ${max} of ${shown.length} characters]`]
      }
}

/** A text of several lines as a section. */
const textSection = (name: string, text: string | undefined, maxChars: number | undefined) => {
  if (text === undefined || text === "") return []
  const { cut, kept } = half(text, maxChars)
  return section(name, [...behind(quote, kept), ...cut])
}

/** A part of a list, and how to get the rest. */
export const more = (shown: number, total: number, offset: number): ReadonlyArray<string> =>
  offset + shown < total
    ? [`[${shown} of ${total}; call again with offset ${offset + shown} for more, or narrow the filters]`]
    : []

/** A task on one line. */
export const taskLine = ({ assignee, id, priority, project, status, title }: Task): string =>
  [
    `${id} [${status}, ${priority}]`,
    line(title, 160),
    ...(assignee === undefined ? [] : [`@${line(assignee, 60)}`]),
    ...(project === undefined ? [] : [`(${line(project, 60)})`])
  ].join(" ")

/** A task by its id and title, e.g. one that it depends on. */
export const nodeLine = (task: { readonly id: string; readonly status: string; readonly title: string }) =>
  `- ${task.id} [${task.status}] ${line(task.title, 160)}`

const field = (name: string, value: string | undefined): ReadonlyArray<string> =>
  value === undefined || value === "" ? [] : [`${name}: ${oneLine(value)}`]

/** A heading and its lines; nothing when there are no lines. */
export const section = (name: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", `${name}:`, ...lines]

/** A task without its comments. */
export const factLines = (task: Task, maxChars: number | undefined): ReadonlyArray<string> => [
  `${task.id} ${line(task.title, 500)}`,
  `status: ${task.status}${task.archived ? " (archived)" : ""}, position ${task.position}, revision ${task.revision}`,
  `priority: ${task.priority}, type: ${line(task.type, 64)}`,
  ...field("project", task.project),
  ...field("assignee", task.assignee),
  ...field("agents", task.agents.join(", ")),
  ...field("labels", task.labels.join(", ")),
  ...field("depends on", task.dependencies.join(", ")),
  ...field("review scores", task.reviewScores && scores(task.reviewScores)),
  ...field("worktree", task.git?.worktreePath),
  ...field("branch", task.git?.branch),
  ...field("time", timeOf(task)),
  ...textSection("Description", task.description, maxChars),
  ...section(
    "Acceptance criteria",
    task.acceptanceCriteria.map(({ done, text }) => `- [${done ? "x" : " "}] ${line(text, 500)}`)
  ),
  ...textSection("Summary", task.completionSummary, maxChars),
  ...textSection("Lessons", task.lessonsLearned, maxChars)
]

/** The comments of a task, newest first. */
export const commentLines = ({ comments }: Task, maxChars: number | undefined): ReadonlyArray<string> =>
  section(
    `Comments, newest first (${comments.length})`,
    comments.toReversed().map(({ author, createdAt, text }) => {
      const { cut, kept } = half(text, maxChars)
      return [after(`- ${createdAt} ${line(author, 60)}:`, quote, kept), ...cut].join(" ")
    })
  )

/** The progress of a task. The latest is at the end, so a long text loses its beginning. */
export const progressLines = (
  progress: Task["progress"],
  maxChars: number = defaultChars
): ReadonlyArray<string> => {
  const shown = printable(progress?.content ?? "")
  const max = Math.floor(maxChars / 2)
  if (shown === "") return []
  return section("Progress", [
    ...(shown.length <= max ? [] : [`[the last ${max} of ${shown.length} characters]`]),
    ...behind(quote, shown.slice(-max).toWellFormed())
  ])
}

const scores = (given: NonNullable<Task["reviewScores"]>): string =>
  Object.entries(given)
    .map(([name, score]) => `${name} ${score}`)
    .join(", ")

const timeOf = ({ timeTracking: { entries, isRunning, totalMs } }: Task): string | undefined =>
  entries.length === 0 ? undefined : `${duration(totalMs)}${isRunning ? ", the timer is running" : ""}`

/** An observation on one line. */
export const observationLine = ({ agent, content, createdBy, importance, type }: Observation): string =>
  `- ${type}, importance ${importance}, by ${line(agent ?? createdBy, 60)}: ${oneLine(content)}`

/** What a run of the task asks a person for, on one line. */
export const approvalLine = ({ action, agentId, expiresAt, id }: WaitingApproval): string =>
  `- ${oneLine(id)}, asked by ${line(agentId, 60)}, until ${expiresAt}: ${line(action, 200)}`

/** The answer to a write on a task: what it did, and the new revision of the task. */
export const wrote = ({ id, revision }: Pick<Task, "id" | "revision">, what: string): string =>
  `${id} ${what}, revision ${revision}`
