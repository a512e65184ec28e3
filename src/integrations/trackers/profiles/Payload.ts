import { Schema } from "effect"
import type { StoredTask } from "../../../board/tasks/Task.ts"
import { Issue } from "../../../kernel/Failures.ts"
import { optional } from "../../../kernel/Optional.ts"
import { redactText } from "../../../kernel/Redaction.ts"
import type { FieldMapping, FieldSource, TrackerProfile } from "./Profile.ts"
import { profileIssues } from "./ProfileRules.ts"
import { TrackerProvider } from "./Provider.ts"
import { meant, type TrackerField, type TrackerSchema } from "./TrackerSchema.ts"

/** What a tracker is asked to make of a task. Its texts hold no secrets. */
export const TrackerPayload = Schema.Struct({
  provider: TrackerProvider,
  project: Schema.String,
  workItemType: Schema.String,
  areaPath: optional(Schema.String),
  iterationPath: optional(Schema.String),
  fields: Schema.Record({
    key: Schema.String,
    value: Schema.Union(Schema.String, Schema.Array(Schema.String))
  })
}).annotations({ identifier: "TrackerPayload" })
export type TrackerPayload = typeof TrackerPayload.Type

/** The answer of a dry run: what would be sent, and what is wrong with it. */
export const DryRun = Schema.Struct({
  externalWrite: Schema.Literal(false),
  payload: TrackerPayload,
  errors: Schema.Array(Issue),
  warnings: Schema.Array(Issue)
}).annotations({ identifier: "TrackerDryRun" })

/** What would be sent of a task, with errors (then nothing is sent) and warnings (it is sent all the same). */
export interface Draft {
  readonly payload: TrackerPayload
  readonly errors: ReadonlyArray<Issue>
  readonly warnings: ReadonlyArray<Issue>
}

type Value = string | ReadonlyArray<string>

const sources: Readonly<Record<Exclude<FieldSource, "literal">, (task: StoredTask) => Value | undefined>> = {
  id: (task) => task.id,
  title: (task) => task.title,
  description: (task) => task.description,
  status: (task) => task.status,
  priority: (task) => task.priority,
  type: (task) => task.type,
  project: (task) => task.project,
  assignee: (task) => task.assignee,
  agents: (task) => task.agents,
  labels: (task) => task.labels,
  acceptanceCriteria: (task) =>
    task.acceptanceCriteria.map(({ done, text }) => `- [${done ? "x" : " "}] ${text}`),
  completionSummary: (task) => task.completionSummary,
  createdBy: (task) => task.createdBy
}

const valueOf = ({ literalValue, source }: FieldMapping, task: StoredTask): ReadonlyArray<string> => {
  const value = source === "literal" ? literalValue : sources[source](task)
  const all = value === undefined ? [] : typeof value === "string" ? [value] : value
  return all.filter((one) => one.trim() !== "")
}

interface Fitted {
  readonly value?: Value
  readonly errors: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

/**
 * The value in the form of its field. Values that the field does not allow are left out, with a warning or an error.
 */
const fitted = (field: TrackerField, mapping: FieldMapping, task: StoredTask): Fitted => {
  const raw = valueOf(mapping, task)
  const clean = raw.map(redactText)
  const warnings = clean.some((one, index) => one !== raw[index]) ? ["Secrets were taken out of it"] : []
  const { allowedValues: allowed, maxLength } = field
  const known = allowed === undefined ? clean : clean.flatMap((one) => meant(allowed, one) ?? [])
  const kept = field.type === "option" ? known.slice(0, 1) : known
  if (kept.length === 0) {
    const nothing =
      clean.length === 0
        ? `The task has no ${mapping.source}`
        : `The tracker does not know the ${mapping.source} of the task`
    if (field.required || mapping.required === true) return { errors: [nothing], warnings }
    return {
      errors: [],
      warnings: clean.length === 0 ? warnings : [...warnings, `${nothing}: it is left out`]
    }
  }
  const leftOut =
    kept.length < clean.length ? [`${clean.length - kept.length} of ${clean.length} are left out`] : []
  if (field.type === "list")
    return { value: [...new Set(kept)], errors: [], warnings: [...warnings, ...leftOut] }
  const text = kept.join(mapping.source === "acceptanceCriteria" ? "\n" : ", ")
  const isCut = maxLength !== undefined && text.length > maxLength
  return {
    value: isCut ? text.slice(0, maxLength).toWellFormed() : text,
    errors: [],
    warnings: [...warnings, ...leftOut, ...(isCut ? [`It is cut to ${maxLength} characters`] : [])]
  }
}

/** The line in an item that says which task it comes from. */
const backlinkOf = (task: StoredTask): string => `Muster task: ${task.id}`

/** Translates a task by its profile. It is pure, so that a dry run shows exactly what a create sends. */
export const draftOf = (
  profile: TrackerProfile,
  schema: TrackerSchema | undefined,
  task: StoredTask
): Draft => {
  const errors: Array<Issue> = [...profileIssues(profile, schema)]
  const warnings: Array<Issue> = []
  const fields: Record<string, Value> = {}
  for (const mapping of profile.fieldMappings) {
    const field = schema?.fields.find(({ id }) => id === mapping.trackerFieldId)
    if (field === undefined) continue
    const path = `fields.${field.id}`
    const { errors: faults, value, warnings: oddities } = fitted(field, mapping, task)
    if (value !== undefined) fields[field.id] = value
    errors.push(...faults.map((message) => ({ path, message })))
    warnings.push(...oddities.map((message) => ({ path, message })))
  }
  if (profile.backlinkFieldId !== undefined) {
    const before = fields[profile.backlinkFieldId]
    fields[profile.backlinkFieldId] =
      typeof before === "string" ? `${before}\n\n${backlinkOf(task)}` : backlinkOf(task)
  }
  const { defaultAreaPath: areaPath, defaultIterationPath: iterationPath } = profile
  return {
    payload: {
      provider: profile.provider,
      project: profile.defaultProjectPath ?? schema?.project ?? "",
      workItemType: profile.defaultWorkItemType,
      ...(areaPath === undefined ? {} : { areaPath }),
      ...(iterationPath === undefined ? {} : { iterationPath }),
      fields
    },
    errors,
    warnings
  }
}
