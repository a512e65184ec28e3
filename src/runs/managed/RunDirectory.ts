import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import type { LaunchManifest } from "../documents/LaunchManifest.ts"
import type { TaskEnvelope } from "../documents/TaskEnvelope.ts"

/** Where a managed run finds its documents, and works when its task has no workspace (ruling 24). */
export interface RunDirectory {
  readonly path: string
  /** An empty directory to work in. */
  readonly scratch: string
}

/** Makes the directory of a run with its envelope and its manifest; nobody else may look into it. */
export const makeRunDirectory = (
  root: string,
  attemptId: string,
  { envelope, launchManifest }: { readonly envelope: TaskEnvelope; readonly launchManifest: LaunchManifest }
): Effect.Effect<RunDirectory> =>
  Effect.promise(async () => {
    const path = join(root, "runs", attemptId)
    const scratch = join(path, "work")
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    const write = (name: string, document: object) =>
      writeFile(join(path, name), JSON.stringify(document, undefined, 2), { mode: 0o600 })
    await write("task-envelope.json", envelope)
    await write("launch-manifest.json", launchManifest)
    return { path, scratch }
  })

/** Removes the directory of a run that is over, unless the agent left work in it. */
export const leaveRunDirectory = ({ path, scratch }: RunDirectory): Effect.Effect<void> =>
  Effect.promise(async () => {
    const left = await readdir(scratch).catch(() => [])
    if (left.length === 0) await rm(path, { recursive: true, force: true })
  })
