import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Data, Effect } from "effect"
import { codeOf, reasonOf } from "../../kernel/FileTrouble.ts"
import type { LaunchManifest } from "../documents/LaunchManifest.ts"
import type { TaskEnvelope } from "../documents/TaskEnvelope.ts"

/** Where a managed run finds its documents, and works when its task has no workspace (ruling 24). */
export interface RunDirectory {
  readonly path: string
  /** An empty directory to work in. */
  readonly scratch: string
}

/** Where the directories of runs lie, each by its attempt. */
export const runsIn = (root: string): string => join(root, "runs")

/** Where the directory of an attempt is, in a data directory. */
export const runDirectoryOf = (root: string, attemptId: string): RunDirectory => {
  const path = join(runsIn(root), attemptId)
  return { path, scratch: join(path, "work") }
}

/** The disk does not take the directory of a run. */
export class RunDirectoryNotMade extends Data.TaggedError("RunDirectoryNotMade")<{
  readonly cause: unknown
}> {
  override get message() {
    return `The directory of the run can't be made: ${reasonOf(this.cause)}`
  }
}

/** Makes the directory of a run with its envelope and its manifest; nobody else may look into it. */
export const makeRunDirectory = (
  root: string,
  attemptId: string,
  { envelope, launchManifest }: { readonly envelope: TaskEnvelope; readonly launchManifest: LaunchManifest }
): Effect.Effect<RunDirectory, RunDirectoryNotMade> =>
  Effect.tryPromise({
    try: async () => {
      const { path, scratch } = runDirectoryOf(root, attemptId)
      await mkdir(scratch, { recursive: true, mode: 0o700 })
      const write = (name: string, document: object) =>
        writeFile(join(path, name), JSON.stringify(document, undefined, 2), { mode: 0o600 })
      await write("task-envelope.json", envelope)
      await write("launch-manifest.json", launchManifest)
      return { path, scratch }
    },
    catch: (cause) => new RunDirectoryNotMade({ cause })
  })

/** What an agent left in its directory; nothing when the directory is gone. */
const leftIn = (scratch: string): Promise<ReadonlyArray<string>> =>
  readdir(scratch).catch((error) => (codeOf(error) === "ENOENT" ? [] : Promise.reject(error)))

/**
 * Removes the directory of a run that is over, unless the agent left work in it; what can't be looked at may be work. A
 * run ends whatever becomes of its directory, which is swept one day.
 */
export const leaveRunDirectory = ({ path, scratch }: RunDirectory): Effect.Effect<void> =>
  Effect.tryPromise(async () => {
    if ((await leftIn(scratch)).length === 0) await rm(path, { recursive: true, force: true })
  }).pipe(Effect.catchAll(({ cause }) => Effect.logWarning("The directory of a run is left as it is", cause)))
