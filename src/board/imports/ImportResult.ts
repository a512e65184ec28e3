import { Schema } from "effect"
import { IdentityConflictEntry } from "../tasks/Errors.ts"

/** How many entries each list of the answer shows; the counts are always whole. */
const shown = 1_000

const FailedLine = Schema.Struct({
  line: Schema.Int.annotations({ description: "The number of the line in the request, from 1" }),
  path: Schema.String,
  message: Schema.String
}).annotations({ identifier: "FailedLine" })

const UnresolvedReference = Schema.Struct({ taskId: Schema.String, reference: Schema.String }).annotations({
  identifier: "UnresolvedReference"
})
export type UnresolvedReference = typeof UnresolvedReference.Type

const SkippedDependency = Schema.Struct({
  taskId: Schema.String,
  dependsOn: Schema.String,
  reason: Schema.Literal("self", "cycle")
}).annotations({ identifier: "SkippedDependency" })
export type SkippedDependency = typeof SkippedDependency.Type

/** What an import did. Every line that is not blank was imported, was there already, or has failed. */
export const ImportResult = Schema.Struct({
  imported: Schema.Int.annotations({ description: "Lines that became tasks" }),
  unchanged: Schema.Int.annotations({ description: "Lines that an earlier import had brought already" }),
  failed: Schema.Array(FailedLine).annotations({ description: "Lines that say nothing a task can be" }),
  unresolved: Schema.Array(UnresolvedReference).annotations({
    description:
      "Dependencies of these tasks on tasks that are not on the board yet; a later import resolves them"
  }),
  skippedDependencies: Schema.Array(SkippedDependency).annotations({
    description: "Dependencies that lead to the task itself or would close a cycle"
  }),
  duplicates: Schema.Array(IdentityConflictEntry).annotations({
    description: "Identities that the tasks of this request share with others"
  }),
  ignoredFields: Schema.Array(Schema.String).annotations({
    description: "What the lines say and nobody reads"
  }),
  counts: Schema.Struct({
    failed: Schema.Int,
    unresolved: Schema.Int,
    skippedDependencies: Schema.Int,
    duplicates: Schema.Int,
    ignoredFields: Schema.Int
  }).annotations({ description: `The whole size of each list; a list shows its first ${shown} entries` })
}).annotations({ identifier: "ImportResult" })
export type ImportResult = typeof ImportResult.Type

/** The answer from whole lists. */
export const importResult = (whole: Omit<ImportResult, "counts">): ImportResult => ({
  imported: whole.imported,
  unchanged: whole.unchanged,
  failed: whole.failed.slice(0, shown),
  unresolved: whole.unresolved.slice(0, shown),
  skippedDependencies: whole.skippedDependencies.slice(0, shown),
  duplicates: whole.duplicates.slice(0, shown),
  ignoredFields: whole.ignoredFields.slice(0, shown),
  counts: {
    failed: whole.failed.length,
    unresolved: whole.unresolved.length,
    skippedDependencies: whole.skippedDependencies.length,
    duplicates: whole.duplicates.length,
    ignoredFields: whole.ignoredFields.length
  }
})

/** Which tasks got new ids, and how many ids are still shared. */
export const RepairResult = Schema.Struct({
  repaired: Schema.Array(Schema.Struct({ id: Schema.String, newId: Schema.String, title: Schema.String })),
  remaining: Schema.Int
}).annotations({ identifier: "RepairResult" })
export type RepairResult = typeof RepairResult.Type
