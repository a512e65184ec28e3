import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { now } from "../../kernel/Time.ts"
import * as Worker from "../../kernel/Worker.ts"
import { Storage } from "../../storage/Storage.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import { findAttempt } from "../attempts/Units.ts"
import { runsIn } from "./RunDirectory.ts"

/** How long the work is kept that an agent left in the directory of its run, from its end on: as long as its events. */
const leftWorkMs = 90 * 86_400_000

/** The directories that runs have made; whatever else lies there is not ours. */
const isOfRun = (name: string): boolean => /^attempt_[0-9a-z]+$/.test(name)

/** Whether nobody asks for the directory of an attempt any more: that ended long ago, or went with its task. */
const isDue = (attempt: Attempt | undefined, at: number): boolean =>
  attempt === undefined || (attempt.endedAt !== null && at - attempt.endedAt >= leftWorkMs)

/** Takes away the directories of runs that are due. One that can't be removed is tried again with the next look. */
export const sweepRunDirectories: Effect.Effect<void, never, Storage> = Effect.gen(function* () {
  const { directory, read } = yield* Storage
  const runs = runsIn(directory)
  const names = yield* Effect.promise(() => readdir(runs).catch(() => []))
  for (const name of names.filter(isOfRun)) {
    if (!isDue(yield* read(findAttempt(name)), yield* now)) continue
    yield* Effect.tryPromise(() => rm(join(runs, name), { recursive: true, force: true })).pipe(
      Effect.catchAll(({ cause }) =>
        Effect.logWarning(`The directory of run ${name} can't be removed`, cause)
      )
    )
  }
})

/** How often it is looked. */
const nap = "1 hour"

/** Takes away what is due for the life of the scope. */
export const startSweep: Effect.Effect<void, never, Storage | Worker.Workers | Scope.Scope> = Worker.start(
  "run-directories",
  Effect.zipRight(sweepRunDirectories, Effect.sleep(nap))
)
