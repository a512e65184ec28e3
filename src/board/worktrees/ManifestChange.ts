import type { BadArgument, SystemError } from "@effect/platform/Error"
import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { GitFailed } from "../../kernel/git/Git.ts"
import { iso, now } from "../../kernel/Time.ts"
import type { Event } from "../../storage/events/Event.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { renewClaim, type Write } from "../tasks/Units.ts"
import { GitRefused } from "./Errors.ts"
import type { Changed } from "./Events.ts"
import type { Manifest } from "./Manifest.ts"
import * as WorktreeRepo from "./WorktreeRepo.ts"

/** Who works on the worktree of a task, and which revision of the task that was based on. */
export type WorktreeWrite = Omit<Write, "operation">

/** Records what happened to a worktree. */
export const record = (
  { id, lifecycleState, taskId }: Manifest,
  happened: (changed: Changed) => Event,
  by: ActorContext
): Effect.Effect<void, never, Sql> => Journal.record(happened({ resourceId: id, taskId, lifecycleState }), by)

/** Writes a changed manifest and records what happened; whoever claimed the task is at work on it. One operation at a time works on a task's manifest. */
export const change = (
  manifest: Manifest,
  happened: (changed: Changed) => Event,
  by: ActorContext
): Effect.Effect<Manifest, never, Sql> =>
  Effect.gen(function* () {
    const after: Manifest = { ...manifest, updatedAt: iso(yield* now) }
    yield* WorktreeRepo.update(after)
    yield* renewClaim(manifest.taskId, by)
    yield* record(after, happened, by)
    return after
  })

/** What git and the file system refuse is told as it is: the cases of `Effect.catchTags`. */
export const refusals = {
  GitFailed: ({ command, reason }: GitFailed) => new GitRefused({ command, reason }),
  SystemError: ({ method, reason }: SystemError) => new GitRefused({ command: method, reason }),
  BadArgument: ({ method }: BadArgument) => new GitRefused({ command: method, reason: "BadArgument" })
}
