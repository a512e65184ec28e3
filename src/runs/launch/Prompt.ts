import type { StoredTask } from "../../board/tasks/Task.ts"
import type { ExpectedOutput } from "../../board/tasks/TaskParts.ts"
import { upTo } from "../../kernel/Characters.ts"
import type { CommitPolicy } from "../documents/Policies.ts"

/** The longest instructions of a profile and the longest checkpoint in a prompt, in characters (spec 3-runs, Limits). */
export const sectionLimit = 20_000

/** What an agent that the service runs is told. */
export interface PromptParts {
  readonly task: StoredTask
  readonly instructions: string | undefined
  readonly checkpoint: unknown
  readonly commitPolicy: CommitPolicy
  readonly expectedOutputs: ReadonlyArray<ExpectedOutput>
}

const commits: Readonly<Record<CommitPolicy, string>> = {
  forbidden: "Don't commit anything.",
  allowed: "You may commit.",
  required: "Commit your work: without a new commit it does not count as finished."
}

const section = (title: string, body: string): ReadonlyArray<string> =>
  body.trim() === "" ? [] : [`## ${title}`, body]

const listed = (lines: ReadonlyArray<string>): string => lines.map((line) => `- ${line}`).join("\n")

/**
 * The prompt of a run. It asks for the work alone: how a run begins and ends is seen by the service, so nothing in it
 * speaks of commands that report (spec 1-core, Integration modes).
 */
export const promptOf = ({
  checkpoint,
  commitPolicy,
  expectedOutputs,
  instructions,
  task
}: PromptParts): string =>
  [
    ...(instructions === undefined ? [] : [upTo(instructions, sectionLimit)]),
    `# ${task.title}`,
    ...(task.description === undefined ? [] : [task.description]),
    ...section(
      "Acceptance criteria",
      listed(task.acceptanceCriteria.map(({ done, text }) => `${done ? "[x]" : "[ ]"} ${text}`))
    ),
    ...section(
      "Expected outputs",
      listed(
        expectedOutputs.map(({ description, id, kind, path, required }) =>
          [
            `${id} (${kind}${path === undefined ? "" : `, ${path}`}${required ? "" : ", optional"})`,
            ...(description === undefined ? [] : [description])
          ].join(": ")
        )
      )
    ),
    ...(checkpoint === undefined
      ? []
      : section("Where the work stopped", upTo(JSON.stringify(checkpoint, undefined, 2), sectionLimit))),
    commits[commitPolicy]
  ].join("\n\n")
