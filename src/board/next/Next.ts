import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, integerText, nonBlank } from "../../kernel/Text.ts"
import { OperationId } from "../tasks/Move.ts"
import { Task, TaskPriority } from "../tasks/Task.ts"

/** How many tasks beside the first one are named when the query does not say. */
export const defaultAlternatives = 4

const agent = nonBlank(200).annotations({
  description: "Who is to do it; without it, the name of the credential"
})
const project = nonBlank(200).annotations({ description: "Only tasks of this project" })
const type = nonBlank(64).annotations({ description: "Only tasks of this type" })

/** Whom to find work for, and what kind of work. */
export const NextQuery = Schema.Struct({
  agent: Schema.optional(agent),
  project: Schema.optional(project),
  type: Schema.optional(type),
  limit: Schema.optional(
    integerText(0, 50).annotations({
      description: `How many alternatives to name at the most, ${defaultAlternatives} when absent`
    })
  )
})
export type NextQuery = typeof NextQuery.Type

/** Another task that could be taken up. `mine` is true when it was given to the agent. */
const Alternative = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  priority: TaskPriority,
  mine: Schema.Boolean,
  stale: Schema.Boolean.annotations({ description: "It is in progress under a claim that has lapsed" })
})

/** How many tasks can be taken up, and what holds the others of `todo`. */
const Queue = Schema.Struct({
  ready: Schema.Int.annotations({ description: "They stand in todo" }),
  stale: Schema.Int.annotations({
    description: "They are in progress, and the claims of those who held them have lapsed"
  }),
  blocked: Schema.Int.annotations({ description: "They wait for tasks that are not finished" }),
  others: Schema.Int.annotations({ description: "They were given to somebody else" }),
  duplicate: Schema.Int.annotations({ description: "They share an identity with another task" })
}).annotations({ identifier: "NextQueue" })
export type Queue = typeof Queue.Type

/** The task to take up next, why it is this one, and what else there is. */
export const NextTask = Schema.Struct({
  task: Schema.NullOr(Task),
  reasons: Schema.Array(Schema.String),
  alternatives: Schema.Array(Alternative),
  queue: Queue
}).annotations({ identifier: "NextTask" })
export type NextTask = typeof NextTask.Type

/** The body of a claim of one task. */
export const ClaimDraft = Schema.Struct({ agent: optional(agent) }).annotations({
  identifier: "TaskClaim",
  ...everyIssue
})
export type ClaimDraft = typeof ClaimDraft.Type

/** The body of a claim of whichever task is next. The operation id makes it safe to repeat. */
export const ClaimNext = Schema.Struct({
  agent: optional(agent),
  project: optional(project),
  type: optional(type),
  operationId: optional(OperationId)
}).annotations({ identifier: "ClaimNext", ...everyIssue })
export type ClaimNext = typeof ClaimNext.Type

/** What was claimed, or null when there was nothing to claim, and why. */
export const Claimed = Schema.Struct({
  task: Schema.NullOr(Task),
  reasons: Schema.Array(Schema.String),
  replayed: Schema.Boolean
}).annotations({ identifier: "TaskClaimed" })

/** Whether a task was given to somebody other than the agent. The assignee counts before the agents. */
export const isOthers = (
  { agents, assignee }: { readonly agents: ReadonlyArray<string>; readonly assignee?: string },
  agent: string
): boolean => (assignee === undefined ? agents.length > 0 && !agents.includes(agent) : assignee !== agent)

/** Who has a task: its assignee, else those that may take it up. */
export const holdersOf = ({
  agents,
  assignee
}: {
  readonly agents: ReadonlyArray<string>
  readonly assignee?: string
}): ReadonlyArray<string> => (assignee === undefined ? agents : [assignee])

/** Why a task is the next one. */
export const reasonsFor = (
  { mine, priority, stale }: Pick<typeof Alternative.Type, "mine" | "priority" | "stale">,
  agent: string
): ReadonlyArray<string> => [
  stale ? "The claim on it has lapsed" : mine ? `It was given to ${agent}` : "Nobody has it",
  `Its priority is ${priority}`,
  "Nothing that it depends on is unfinished"
]

/** How it stands among all that can be taken up. */
export const reasonAmong = ({ ready, stale }: Queue): string =>
  ready + stale === 1
    ? "It is the only one that can be taken up"
    : `It comes first of ${ready + stale} that can be taken up`

/** Why there is no next task. */
export const reasonsAgainst = ({ blocked, duplicate, others }: Queue): ReadonlyArray<string> => {
  const held = [
    ...counted(blocked, "waits for tasks that are not finished", "wait for tasks that are not finished"),
    ...counted(others, "was given to somebody else", "were given to somebody else"),
    ...counted(duplicate, "shares its identity with another task", "share their identity with other tasks")
  ]
  return held.length === 0 ? ["There is nothing in todo"] : ["Nothing in todo can be taken up", ...held]
}

const counted = (n: number, one: string, many: string): ReadonlyArray<string> =>
  n === 0 ? [] : [n === 1 ? `1 task ${one}` : `${n} tasks ${many}`]
