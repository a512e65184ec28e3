import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { codeOf } from "../../kernel/FileTrouble.ts"
import type { LaunchManifest } from "../documents/LaunchManifest.ts"
import type { TaskEnvelope } from "../documents/TaskEnvelope.ts"

/** Where a managed run finds its documents, and works when its task has no workspace (ruling 24). */
export interface RunDirectory {
  readonly path: string
  /** An empty directory to work in. */
  readonly scratch: string
}

/** Where the directory of an attempt is, in a data directory. */
export const runDirectoryOf = (root: string, attemptId: string): RunDirectory => {
  const path = join(root, "runs", attemptId)
  return { path, scratch: join(path, "work") }
}

/** Makes the directory of a run with its envelope and its manifest; nobody else may look into it. */
export const makeRunDirectory = (
  root: string,
  attemptId: string,
  { envelope, launchManifest }: { readonly envelope: TaskEnvelope; readonly launchManifest: LaunchManifest }
): Effect.Effect<RunDirectory> =>
  Effect.promise(async () => {
    const { path, scratch } = runDirectoryOf(root, attemptId)
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    const write = (name: string, document: object) =>
      writeFile(join(path, name), JSON.stringify(document, undefined, 2), { mode: 0o600 })
    await write("task-envelope.json", envelope)
    await write("launch-manifest.json", launchManifest)
    return { path, scratch }
  })

/**
 * Removes the directory of a run that is over, unless the agent left work in it. What the agent has locked stays: that is
 * no reason to lose its end.
 */
export const leaveRunDirectory = ({ path, scratch }: RunDirectory): Effect.Effect<void> =>
  Effect.promise(async () => {
    const left = await readdir(scratch).catch((error) => (codeOf(error) === "ENOENT" ? [] : [scratch]))
    if (left.length === 0) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  })
