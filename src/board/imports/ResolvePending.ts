import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { unconditional } from "../../kernel/Revision.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { TaskFull } from "../tasks/Errors.ts"
import { TaskUpdated } from "../tasks/Events.ts"
import { commit, findTaskRow, type TaskRow } from "../tasks/Units.ts"
import type { ImportDependencies, Resolution } from "./ImportDependencies.ts"
import * as ImportRepo from "./ImportRepo.ts"
import type { SkippedDependency } from "./ImportResult.ts"

/** What became of the dependencies that earlier imports left open. */
export interface Resolved {
  readonly open: ReadonlyArray<ImportRepo.Pending>
  readonly skipped: ReadonlyArray<SkippedDependency>
}

const byRow = (pending: ReadonlyArray<ImportRepo.Pending>): ReadonlyMap<number, ReadonlyArray<string>> => {
  const references = new Map<number, Array<string>>()
  for (const { reference, row } of pending) {
    const known = references.get(row)
    if (known === undefined) references.set(row, [reference])
    else known.push(reference)
  }
  return references
}

/**
 * Resolves what earlier imports had to leave open, now that more tasks are known. An archived task can't change: its
 * dependencies stay open until it is restored. Neither can one that has no room for them.
 */
export const resolvePending = (
  pending: ReadonlyArray<ImportRepo.Pending>,
  dependencies: ImportDependencies,
  by: ActorContext
): Effect.Effect<Resolved, never, Sql> =>
  Effect.gen(function* () {
    const open: Array<ImportRepo.Pending> = []
    const skipped: Array<SkippedDependency> = []
    for (const [row, references] of byRow(pending)) {
      const before = yield* findTaskRow(row)
      const resolution =
        before === undefined || before.task.archived
          ? unresolved(references)
          : yield* resolveTask(before, dependencies.resolve(before.task.id, references), by).pipe(
              Effect.catchTag("TaskFull", () => Effect.succeed(unresolved(references)))
            )
      const left = new Set(resolution.unresolved)
      for (const reference of references) {
        if (left.has(reference)) open.push({ row, reference })
        else yield* ImportRepo.removePending({ row, reference })
      }
      skipped.push(...resolution.skipped)
    }
    return { open, skipped }
  })

const unresolved = (references: ReadonlyArray<string>): Resolution => ({
  dependencies: [],
  unresolved: references,
  skipped: []
})

const resolveTask = (
  before: TaskRow,
  resolution: Resolution,
  by: ActorContext
): Effect.Effect<Resolution, TaskFull, Sql> => {
  const dependencies = [...new Set([...before.task.dependencies, ...resolution.dependencies])]
  return dependencies.length === before.task.dependencies.length
    ? Effect.succeed(resolution)
    : commit(
        before,
        { task: { ...before.task, dependencies } },
        { operation: "import", by, precondition: unconditional },
        (changed) => new TaskUpdated({ ...changed, fields: ["dependencies"] })
      ).pipe(Effect.as(resolution))
}
