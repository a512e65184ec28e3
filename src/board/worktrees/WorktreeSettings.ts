import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Context, Effect, Layer } from "effect"
import * as DataDirectory from "../../storage/place/DataDirectory.ts"
import { Storage } from "../../storage/Storage.ts"

/** What an operator chooses about worktrees. */
export interface WorktreeSettings {
  /** Where they lie; `worktrees` in the data directory when undefined. */
  readonly directory: string | undefined
  /** The editor and its arguments; the path of the worktree follows. Without it none is opened. */
  readonly editor: readonly [string, ...ReadonlyArray<string>] | undefined
  /** How many days the files of a removed worktree are kept. */
  readonly trashDays: number
}

/** Where worktrees lie, and one operation at a time for each task and each repository. */
export interface WorktreePlacesService {
  /** The directory of all worktrees, without symbolic links in its path. Only the service's own user can enter it. */
  readonly root: string
  readonly editor: WorktreeSettings["editor"]
  readonly trashDays: number
  /** Runs one effect at a time for a key; the others wait. */
  readonly alone: (key: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export class WorktreePlaces extends Context.Tag("muster/WorktreePlaces")<
  WorktreePlaces,
  WorktreePlacesService
>() {
  static readonly layer = (settings: WorktreeSettings) =>
    Layer.effect(
      WorktreePlaces,
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const { directory } = yield* Storage
        const wanted = settings.directory ?? join(directory, "worktrees")
        yield* DataDirectory.ensure("SERVICE_WORKTREES_DIR", wanted)
        const root = yield* files.realPath(wanted)
        return { root, editor: settings.editor, trashDays: settings.trashDays, alone: makeAlone() }
      })
    )
}

const makeAlone = () => {
  const known = new Map<string, { readonly semaphore: Effect.Semaphore; users: number }>()
  return (key: string) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          const entry = known.get(key) ?? { semaphore: Effect.unsafeMakeSemaphore(1), users: 0 }
          entry.users++
          known.set(key, entry)
          return entry
        }),
        ({ semaphore }) => semaphore.withPermits(1)(effect),
        (entry) =>
          Effect.sync(() => {
            if (--entry.users === 0) known.delete(key)
          })
      )
}
