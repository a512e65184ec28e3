import type { PlatformError } from "@effect/platform/Error"
import { Effect } from "effect"
import type { GitFailed } from "../../kernel/git/Git.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { TaskFull, TaskNotFound } from "../tasks/Errors.ts"
import { requireTask } from "../tasks/Units.ts"
import { type Blocker, blockersOf } from "./Cleanup.ts"
import { WorktreeBlocked, WorktreeNotFound } from "./Errors.ts"
import { inspect, type Looks } from "./Inspection.ts"
import { isLive, type Manifest } from "./Manifest.ts"
import { settle } from "./Settlement.ts"
import { workTreeAt } from "./WorkTree.ts"
import * as WorktreeRepo from "./WorktreeRepo.ts"

const liveOf = (taskId: string): Effect.Effect<Manifest, TaskNotFound | WorktreeNotFound, Sql> =>
  Effect.gen(function* () {
    yield* requireTask(taskId)
    const live = yield* WorktreeRepo.liveOf(taskId)
    return live ?? (yield* new WorktreeNotFound({ taskId }))
  })

/**
 * The worktree of a task, for an operation that has it to itself. One that is not at rest was left by an operation that
 * broke off: it is settled first.
 */
export const active = (
  taskId: string
): Effect.Effect<Manifest, TaskNotFound | TaskFull | WorktreeNotFound | GitFailed | PlatformError, Looks> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const settled = yield* settle(yield* storage.read(liveOf(taskId)))
    return isLive(settled) ? settled : yield* new WorktreeNotFound({ taskId })
  })

/** What stands against working on a worktree: its files and its branch must be what the manifest says. */
const hindrances: ReadonlySet<Blocker["code"]> = new Set([
  "active-attempt",
  "branch-mismatch",
  "manifest-mismatch",
  "unreadable",
  "unfinished",
  "dirty"
])

/** A worktree that is ready to be worked on, with its place and its head. */
export const ready = (manifest: Manifest, operation: string) =>
  Effect.gen(function* () {
    const evidence = yield* inspect(manifest)
    const { head } = evidence.findings
    const blockers = blockersOf(evidence).filter(({ code }) => hindrances.has(code))
    if (blockers.length > 0 || head === null || manifest.gitDir === undefined) {
      const gone: Blocker = {
        code: "manifest-mismatch",
        overridable: false,
        detail: "The directory of the worktree is gone"
      }
      return yield* new WorktreeBlocked({
        taskId: manifest.taskId,
        operation,
        blockers: blockers.length > 0 ? blockers : [gone],
        overridable: false
      })
    }
    return {
      place: workTreeAt(manifest.path, manifest.gitDir, manifest.commonDir),
      head,
      evidence
    }
  })
