import { lstat, realpath } from "node:fs/promises"
import { join } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { branchAt } from "../../board/worktrees/WorkTree.ts"
import { recordsOf, shown } from "../../kernel/git/FileName.ts"
import { Git, GitFailed, type Place } from "../../kernel/git/Git.ts"
import { count } from "../../kernel/git/Repository.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import type { Claims } from "../documents/Claims.ts"
import type { FoundOutput, WorkspaceEvidence } from "../documents/CompletionResult.ts"
import type { Baseline, BaselineFile, TaskEnvelope } from "../documents/TaskEnvelope.ts"
import { captureBaseline } from "./CaptureBaseline.ts"
import { pathOf, placeIn, type Workspace } from "./Workspace.ts"

/** How many paths are named of what a run changed. */
const pathLimit = 2_000

/** What became of a workspace, and the branch that is checked out there. */
export interface Observation {
  readonly evidence: WorkspaceEvidence
  readonly branch: string | null
}

const keyOf = ({ indexBlobHash, status, worktreeSha256 }: BaselineFile): string =>
  `${status} ${indexBlobHash} ${worktreeSha256}`

/** The paths whose files are not what they were, were they uncommitted before, now, or both times. */
const changedBetween = (before: Baseline, after: Baseline): ReadonlyArray<string> => {
  const was = new Map(before.files.map((file) => [file.path, keyOf(file)]))
  const is = new Map(after.files.map((file) => [file.path, keyOf(file)]))
  return [...new Set([...was.keys(), ...is.keys()])].filter((path) => was.get(path) !== is.get(path))
}

const committedBetween = (place: Place, from: string, to: string) =>
  Effect.gen(function* () {
    const git = yield* Git
    const output = yield* git.bytes({
      at: place,
      args: ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--end-of-options", from, to],
      reads: true
    })
    return recordsOf(output).map(shown)
  })

const compare = (
  place: Place,
  before: Baseline,
  after: Baseline
): Effect.Effect<Observation, GitFailed, Git> =>
  Effect.gen(function* () {
    const [from, to] = [before.headSha, after.headSha]
    const moved = from !== to && to !== null
    const committed = moved && from !== null ? yield* committedBetween(place, from, to) : []
    const range = from === null ? [to ?? "HEAD"] : [to ?? "HEAD", "--not", from]
    const files = [...new Set([...changedBetween(before, after), ...committed])].sort()
    return {
      branch: yield* branchAt(place),
      evidence: {
        baselineHead: from,
        head: to,
        commits: moved ? yield* count(place, ...range) : 0,
        files: files.slice(0, pathLimit),
        truncated: files.length > pathLimit
      }
    }
  })

/**
 * What a workspace has become since its baseline was captured: heads, commits and files. Where it can't be read the
 * evidence says why, and an end is not held up by it.
 */
export const observeWorkspace = (
  { taskId, workspace: path }: Pick<Attempt, "taskId" | "workspace">,
  workspace: Workspace,
  before: Baseline
): Effect.Effect<Observation | undefined, never, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    if (pathOf(workspace) !== path)
      return yield* new GitFailed({ command: "status", reason: "the task has another workspace by now" })
    const place = yield* placeIn(workspace)
    if (place === undefined) return undefined
    return yield* compare(place, before, yield* captureBaseline(taskId, workspace))
  }).pipe(
    Effect.catchAll(({ reason }) =>
      Effect.succeed({
        branch: null,
        evidence: {
          baselineHead: before.headSha,
          head: before.headSha,
          commits: 0,
          files: [],
          truncated: false,
          unreadable: reason
        }
      })
    ),
    Effect.withSpan("ObserveWorkspace")
  )

/** Whether a file lies there that is inside the directory, whatever links lead to it. */
const isFile = (directory: string, path: string): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    try {
      const [inside, real] = await Promise.all([realpath(directory), realpath(join(directory, path))])
      return real.startsWith(`${inside}/`) && (await lstat(real)).isFile()
    } catch {
      return false
    }
  })

/** Whether what was expected is there: a file at its path, anything else among what the agent shows (ruling 54). */
export const findOutputs = (
  { expectedOutputs }: Pick<TaskEnvelope, "expectedOutputs">,
  directory: string | null,
  claims: Claims | null
): Effect.Effect<ReadonlyArray<FoundOutput>> => {
  const shownBy = [...(claims?.artifacts ?? []), ...(claims?.verification ?? [])]
  return Effect.forEach(expectedOutputs, ({ id, kind, path, required }) =>
    Effect.map(
      kind === "file" && path !== undefined
        ? directory === null
          ? Effect.succeed(false)
          : isFile(directory, path)
        : Effect.succeed(shownBy.some((one) => one.id === id || one.name === id)),
      (found) => ({ id, required, found })
    )
  )
}
