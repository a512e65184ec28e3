import type { FailedLine } from "../../board/imports/ImportBatch.ts"
import type { ImportResult } from "../../board/imports/ImportResult.ts"
import type { Batch } from "./Batches.ts"

/** The most entries that a list of the total keeps; the counts are complete. */
const shown = 1_000

/** The total before the first request. `failed` holds the lines that can't be sent. */
export const nothing = (failed: ReadonlyArray<FailedLine>): ImportResult => ({
  imported: 0,
  unchanged: 0,
  failed: failed.slice(0, shown),
  unresolved: [],
  skippedDependencies: [],
  duplicates: [],
  ignoredFields: [],
  counts: { failed: failed.length, unresolved: 0, skippedDependencies: 0, duplicates: 0, ignoredFields: 0 }
})

/** Adds the result of a request to the total; its lines are numbered as in the file. */
export const plus = (whole: ImportResult, batch: Batch, part: ImportResult): ImportResult => {
  const ignoredFields = [...new Set([...whole.ignoredFields, ...part.ignoredFields])].sort()
  const duplicates = new Map(
    [...whole.duplicates, ...part.duplicates].map((entry) => [`${entry.kind} ${entry.id}`, entry])
  )
  return {
    imported: whole.imported + part.imported,
    unchanged: whole.unchanged + part.unchanged,
    failed: [
      ...whole.failed,
      ...part.failed.map((failed) => ({ ...failed, line: batch.lines[failed.line - 1] ?? failed.line }))
    ].slice(0, shown),
    unresolved: [...whole.unresolved, ...part.unresolved].slice(0, shown),
    skippedDependencies: [...whole.skippedDependencies, ...part.skippedDependencies].slice(0, shown),
    duplicates: [...duplicates.values()].slice(0, shown),
    ignoredFields,
    counts: {
      failed: whole.counts.failed + part.counts.failed,
      unresolved: whole.counts.unresolved + part.counts.unresolved,
      skippedDependencies: whole.counts.skippedDependencies + part.counts.skippedDependencies,
      duplicates: duplicates.size,
      ignoredFields: ignoredFields.length
    }
  }
}

/** The total with other unresolved dependencies: a later request may have brought a task that an earlier one missed. */
export const withUnresolved = (whole: ImportResult, parts: ReadonlyArray<ImportResult>): ImportResult => ({
  ...whole,
  unresolved: parts.flatMap(({ unresolved }) => unresolved).slice(0, shown),
  counts: {
    ...whole.counts,
    unresolved: parts.reduce((sum, { counts }) => sum + counts.unresolved, 0)
  }
})
