import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { iso, now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { IdentityConflictEntry } from "../tasks/Errors.ts"
import { create, identitiesOf, type StoredTask, type TaskStatus } from "../tasks/Task.ts"
import {
  columnSize,
  conflictCount,
  conflictsOf,
  dependencyEdges,
  findImported,
  insertTask,
  taskNames
} from "../tasks/Units.ts"
import { TaskImported } from "./Events.ts"
import type { ImportBatch, NumberedLine } from "./ImportBatch.ts"
import { ImportDependencies, type Resolution } from "./ImportDependencies.ts"
import * as ImportRepo from "./ImportRepo.ts"
import { type ImportResult, importResult, type UnresolvedReference } from "./ImportResult.ts"
import { resolvePending } from "./ResolvePending.ts"

/** A line, the task that it says, and the row of the task that it has become in an earlier import. */
interface Candidate {
  readonly line: NumberedLine
  readonly task: StoredTask
  readonly row: number | undefined
}

/**
 * Brings the lines of a request to the board, all in one unit. A line that came before changes nothing. Data is taken
 * as it is found: a line whose id or external identity another task holds comes in too, and the conflict is noted.
 */
export const importTasks = (batch: ImportBatch, by: ActorContext): Effect.Effect<ImportResult, never, Sql> =>
  Effect.gen(function* () {
    const candidates = yield* findCandidates(batch.lines, by)
    const fresh = candidates.filter(({ row }) => row === undefined)
    const pending = yield* ImportRepo.pending
    const dependencies = yield* knownDependencies(fresh, pending)
    const earlier = yield* resolvePending(pending, dependencies, by)
    const placed = yield* insertAll(fresh, dependencies, by)
    const stillOpen = openOf(candidates, earlier.open)
    return importResult({
      imported: placed.length,
      unchanged: batch.lines.length - placed.length,
      failed: batch.failed,
      unresolved: [
        ...placed.flatMap(({ taskId, unresolved }) => unresolved.map((reference) => ({ taskId, reference }))),
        ...stillOpen
      ],
      skippedDependencies: [...placed.flatMap(({ skipped }) => skipped), ...earlier.skipped],
      duplicates: yield* duplicatesOf(candidates),
      ignoredFields: batch.ignoredFields
    })
  })

/** Tells new lines from those that came before; a line that comes twice in one request comes once. */
const findCandidates = (
  lines: ReadonlyArray<NumberedLine>,
  by: ActorContext
): Effect.Effect<ReadonlyArray<Candidate>, never, Sql> =>
  Effect.gen(function* () {
    const at = iso(yield* now)
    const candidates = new Map<string, Candidate>()
    for (const line of lines) {
      if (candidates.has(line.sourceId)) continue
      const known = yield* findImported(line.sourceId)
      const id = known?.id ?? line.id ?? (yield* newId("task"))
      const task: StoredTask = {
        ...create(line.draft, { id, at, by: by.name }),
        ...(line.createdAt === undefined ? {} : { createdAt: iso(line.createdAt) }),
        sourceId: line.sourceId
      }
      candidates.set(line.sourceId, { line, task, row: known?.row })
    }
    return [...candidates.values()]
  })

/** The graph of the board with the new tasks in it; an import without any reference does without. */
const knownDependencies = (
  fresh: ReadonlyArray<Candidate>,
  pending: ReadonlyArray<ImportRepo.Pending>
): Effect.Effect<ImportDependencies, never, Sql> =>
  Effect.gen(function* () {
    if (pending.length === 0 && fresh.every(({ line }) => line.references.length === 0)) {
      return new ImportDependencies([], [])
    }
    const known = yield* taskNames
    return new ImportDependencies([...known, ...fresh.map(({ task }) => task)], yield* dependencyEdges)
  })

/** Puts new tasks at the ends of their columns, in the order of the file. */
const insertAll = (
  fresh: ReadonlyArray<Candidate>,
  dependencies: ImportDependencies,
  by: ActorContext
): Effect.Effect<ReadonlyArray<Resolution & { readonly taskId: string }>, never, Sql> =>
  Effect.gen(function* () {
    const sizes = new Map<TaskStatus, number>()
    const placed: Array<Resolution & { readonly taskId: string }> = []
    for (const { line, task } of fresh) {
      const resolution = dependencies.resolve(task.id, line.references)
      const position = sizes.get(task.status) ?? (yield* columnSize(task.status))
      sizes.set(task.status, position + 1)
      const { row } = yield* insertTask({ ...task, dependencies: resolution.dependencies }, position)
      for (const reference of resolution.unresolved) yield* ImportRepo.addPending({ row, reference })
      const { id: resourceId, revision, status } = task
      yield* Journal.record(new TaskImported({ resourceId, revision, to: status }), by)
      placed.push({ taskId: task.id, ...resolution })
    }
    return placed
  })

/** What is still open of the tasks that earlier imports brought and this request names again. */
const openOf = (
  candidates: ReadonlyArray<Candidate>,
  open: ReadonlyArray<ImportRepo.Pending>
): ReadonlyArray<UnresolvedReference> => {
  const ids = new Map(candidates.flatMap(({ row, task }) => (row === undefined ? [] : [[row, task.id]])))
  return open.flatMap(({ reference, row }) => {
    const taskId = ids.get(row)
    return taskId === undefined ? [] : [{ taskId, reference }]
  })
}

/** The identities that these tasks share with others, or among themselves. */
const duplicatesOf = (
  candidates: ReadonlyArray<Candidate>
): Effect.Effect<ReadonlyArray<IdentityConflictEntry>, never, Sql> =>
  Effect.gen(function* () {
    if ((yield* conflictCount) === 0) return []
    const asked = new Set<string>()
    const found = new Map<string, IdentityConflictEntry>()
    for (const { task } of candidates) {
      const identities = identitiesOf(task)
      const claims = [task.id, ...identities].join(" ")
      if (asked.has(claims)) continue
      asked.add(claims)
      for (const conflict of yield* conflictsOf(task.id, identities)) {
        found.set(`${conflict.kind} ${conflict.id}`, conflict)
      }
    }
    return [...found.values()]
  })
