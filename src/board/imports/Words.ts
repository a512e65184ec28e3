import type { TaskPriority, TaskStatus } from "../tasks/Task.ts"

/** What other boards call the statuses of this one. */
const statusWords: Readonly<Record<TaskStatus, ReadonlyArray<string>>> = {
  backlog: ["backlog", "draft", "deferred", "someday"],
  todo: ["todo", "to do", "open", "new", "ready", "pending", "not started", "planned"],
  "in-progress": ["in progress", "inprogress", "doing", "started", "active", "wip", "in review", "review"],
  blocked: ["blocked", "on hold", "waiting"],
  done: ["done", "closed", "complete", "completed", "finished", "resolved"],
  cancelled: ["cancelled", "canceled", "wont do", "wontfix", "abandoned"]
}

/** What other boards call the priorities of this one; of the numbers, 0 is the most urgent. */
const priorityWords: Readonly<Record<TaskPriority, ReadonlyArray<string>>> = {
  critical: ["critical", "urgent", "highest", "blocker", "p0", "0"],
  high: ["high", "p1", "1"],
  medium: ["medium", "normal", "med", "p2", "2"],
  low: ["low", "minor", "lowest", "p3", "3", "p4", "4"]
}

const dictionary = <A extends string>(
  words: Readonly<Record<A, ReadonlyArray<string>>>
): ReadonlyMap<string, A> => {
  const meanings = new Map<string, A>()
  let meaning: A
  for (meaning in words) for (const word of words[meaning]) meanings.set(word, meaning)
  return meanings
}

const statuses = dictionary(statusWords)
const priorities = dictionary(priorityWords)

/** One spelling for one word: case, apostrophes, and what separates its parts don't matter. */
const plain = (word: string): string =>
  word
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[\s_-]+/g, " ")
    .trim()

/** The status that a word stands for. */
export const statusOf = (word: string): TaskStatus | undefined => statuses.get(plain(word))

/** The priority that a word or a number from 0 to 4 stands for. */
export const priorityOf = (word: string): TaskPriority | undefined => priorities.get(plain(word))
