import { Either, ParseResult, Schema } from "effect"
import type { Issue } from "../../kernel/Failures.ts"
import { issuesOf } from "../../kernel/Issues.ts"
import { listOf, nonBlank } from "../../kernel/Text.ts"
import { parseInstant } from "../../kernel/Time.ts"
import { TaskDraft, TaskIdInput } from "../tasks/Task.ts"
import { importFields } from "./ImportFields.ts"
import { looseList, looseNames } from "./LooseLists.ts"
import { allOf, fault, firstOf, isObject, isSilent, type Members, wordOf } from "./Members.ts"
import { priorityOf, statusOf } from "./Words.ts"

/** A line of an imported file, understood. */
export interface ImportLine {
  /** The id that the line has; absent when a task can't have it, so that the task gets a new one. */
  readonly id?: string
  readonly draft: TaskDraft
  /** The tasks that this one depends on, by whatever name the file knows them. */
  readonly references: ReadonlyArray<string>
  /** When the task was created, in milliseconds since the epoch. */
  readonly createdAt?: number
}

/** The members that are understood, by the names that boards give them. */
const understood: ReadonlySet<string> = new Set(["title", ...importFields.flatMap(({ names }) => names)])

/** Some boards write a dependency as an edge with a kind; only one of the kinds says that a task has to wait. */
const isEdge = (value: unknown): value is Members => isObject(value) && Object.hasOwn(value, "depends_on_id")
const kindOf = (edge: Members): string => wordOf(edge["type"] ?? edge["dep_type"]) ?? "blocks"

const dependenciesOf = (members: Members): ReadonlyArray<unknown> =>
  allOf(looseList, members, "dependencies", "dependsOn")

/** The names of what a line says and nobody reads. */
export const ignoredOf = (members: Members): ReadonlyArray<string> => [
  ...Object.keys(members).filter((name) => !understood.has(name)),
  ...dependenciesOf(members)
    .filter(isEdge)
    .map(kindOf)
    .filter((kind) => kind !== "blocks")
    .map((kind) => `dependencies of kind ${kind}`)
]

const References = listOf(nonBlank(200), 200)

const referencesOf = (members: Members): Either.Either<ReadonlyArray<string>, Issue> =>
  Schema.decodeUnknownEither(References)(
    dependenciesOf(members)
      .filter((dependency) => !isEdge(dependency) || kindOf(dependency) === "blocks")
      .map((dependency) => (isEdge(dependency) ? dependency["depends_on_id"] : dependency))
  ).pipe(Either.mapLeft((error) => issueOf(error, "dependencies")))

const meaningOf = <A>(
  members: Members,
  name: "status" | "priority",
  meaning: (word: string) => A | undefined
): Either.Either<A | undefined, Issue> => {
  const found = firstOf(members, name)
  if (found === undefined) return Either.right(undefined)
  const word = wordOf(found.value)
  const meant = word === undefined ? undefined : meaning(word)
  return meant === undefined ? fault(name, `Expected a ${name} that this board knows`) : Either.right(meant)
}

const createdAtOf = (members: Members): Either.Either<number | undefined, Issue> => {
  const found = firstOf(members, "createdDate", "createdAt", "created_at")
  if (found === undefined) return Either.right(undefined)
  const at = typeof found.value === "string" ? parseInstant(found.value) : undefined
  return at === undefined ? fault(found.name, "Expected an ISO 8601 date and time") : Either.right(at)
}

/** A criterion is its text alone, or a text with a tick that goes by one of two names. */
const criterionOf = (value: unknown): unknown =>
  typeof value === "string"
    ? { text: value, done: false }
    : isObject(value)
      ? { text: value["text"], done: value["done"] ?? value["checked"] ?? false }
      : value

const criteriaOf = (members: Members): unknown => {
  const value = firstOf(members, "acceptanceCriteria")?.value
  return Array.isArray(value) ? value.filter((member) => !isSilent(member)).map(criterionOf) : value
}

const issueOf = (error: ParseResult.ParseError, within = ""): Issue => {
  const [issue] = issuesOf(ParseResult.ArrayFormatter.formatErrorSync(error))
  const path = [within, issue?.path ?? ""].filter((part) => part !== "").join(".")
  return { path, message: issue?.message ?? "Expected a task" }
}

/** What the line is silent about takes the defaults of a new task. */
const withoutSilence = (fields: Members): Members =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

const decodeDraft = (fields: Members): Either.Either<TaskDraft, Issue> =>
  Schema.decodeUnknownEither(TaskDraft)(withoutSilence(fields)).pipe(
    Either.mapLeft((error) => issueOf(error))
  )

const isTaskId = (id: string | undefined): id is string =>
  Either.isRight(Schema.decodeUnknownEither(TaskIdInput)(id))

/**
 * Understands a line, or names its first fault. Of several assignees the first is the assignee, and the others join
 * the agents. Secrets are gone from the draft.
 */
export const readLine = (members: Members): Either.Either<ImportLine, Issue> =>
  Either.gen(function* () {
    const id = wordOf(members["id"])
    const [assignee, ...others] = allOf(looseNames, members, "assignee", "assignees")
    const draft = yield* decodeDraft({
      title: members["title"],
      status: yield* meaningOf(members, "status", statusOf),
      priority: yield* meaningOf(members, "priority", priorityOf),
      description: members["description"],
      labels: allOf(looseList, members, "labels", "tags"),
      assignee,
      agents: [...new Set([...allOf(looseNames, members, "agents"), ...others])],
      type: firstOf(members, "type", "issue_type")?.value,
      project: firstOf(members, "project")?.value,
      acceptanceCriteria: criteriaOf(members),
      externalWorkItems: members["externalWorkItems"],
      git: members["git"]
    })
    const references = yield* referencesOf(members)
    const createdAt = yield* createdAtOf(members)
    return {
      ...(isTaskId(id) ? { id } : {}),
      draft,
      references,
      ...(createdAt === undefined ? {} : { createdAt })
    }
  })
