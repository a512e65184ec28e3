import { Schema } from "effect"
import { secretFree } from "../../kernel/Incoming.ts"
import { sanitizeText } from "../../kernel/Sanitize.ts"
import { everyIssue, integer, nonBlank } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { TaskIdParam } from "../tasks/Task.ts"

/** What an observation is about (spec 1-core, Other resources). */
export const ObservationType = Schema.Literal("decision", "blocker", "insight", "context")
export type ObservationType = typeof ObservationType.Type

/** How much an observation matters, in words: 1 to 3 low, 4 to 7 medium, 8 to 10 high. */
export const ImportanceBand = Schema.Literal("low", "medium", "high")
export type ImportanceBand = typeof ImportanceBand.Type

/** The band of an importance from 1 to 10. */
export const importanceBand = (importance: number): ImportanceBand =>
  importance <= 3 ? "low" : importance <= 7 ? "medium" : "high"

/**
 * Something worth remembering about a task. `createdBy` is who wrote it down; `agent` is the name that the writer gave
 * to whom it came from.
 */
export const Observation = Schema.Struct({
  id: Schema.String,
  taskId: Schema.String,
  type: ObservationType,
  content: Schema.String,
  importance: Schema.Int,
  importanceBand: ImportanceBand,
  agent: Schema.optionalWith(Schema.String, { exact: true }),
  createdAt: Timestamp,
  createdBy: Schema.String
}).annotations({ identifier: "Observation" })
export type Observation = typeof Observation.Type

/** Text of which script markup is taken away before it is measured: what is left must say something. */
const Content = Schema.compose(
  Schema.transform(Schema.String, Schema.String, {
    strict: true,
    decode: sanitizeText,
    encode: (text) => text
  }),
  nonBlank(10_000)
).annotations({ description: "1 to 10,000 characters, after script markup is taken away" })

const draft = {
  content: secretFree(Content),
  type: Schema.optionalWith(ObservationType, { exact: true }),
  importance: Schema.optionalWith(integer(1, 10), { exact: true }),
  agent: Schema.optionalWith(nonBlank(200), { exact: true })
}

/** The body of an observation on a task that the path names. Without a type it is `context`, of importance 5. */
export const TaskObservationDraft = Schema.Struct(draft).annotations({
  identifier: "TaskObservationDraft",
  ...everyIssue
})
export type TaskObservationDraft = typeof TaskObservationDraft.Type

/** The body of an observation that names its task itself. */
export const ObservationDraft = Schema.Struct({ taskId: TaskIdParam, ...draft }).annotations({
  identifier: "ObservationDraft",
  ...everyIssue
})

/** An observation from its draft: `context`, and of importance 5, when the draft does not say otherwise. */
export const create = (
  { agent, content, importance = 5, type = "context" }: TaskObservationDraft,
  origin: { readonly id: string; readonly taskId: string; readonly at: string; readonly by: string }
): Observation => ({
  id: origin.id,
  taskId: origin.taskId,
  type,
  content,
  importance,
  importanceBand: importanceBand(importance),
  ...(agent === undefined ? {} : { agent }),
  createdAt: origin.at,
  createdBy: origin.by
})
