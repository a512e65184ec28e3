import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { optional } from "../../kernel/Optional.ts"
import { redactJson } from "../../kernel/Redaction.ts"
import { everyIssue, nonBlank, text } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { content, lists, type StoredTask, TaskPriority, TaskType, withoutNulls } from "../tasks/Task.ts"

const clearable = <A, I, R>(schema: Schema.Schema<A, I, R>) => optional(Schema.NullOr(schema))

/** The most templates that a board has. */
export const templateLimit = 500

const name = nonBlank(200)
const description = text(10_000)

/**
 * What a template knows of a task. Title and status are each task's own, and review scores are a verdict on its work,
 * so a template has none of them.
 */
export const TemplateFields = Schema.Struct({
  description: optional(content.description),
  priority: optional(TaskPriority),
  type: optional(TaskType),
  project: optional(content.project),
  assignee: optional(content.assignee),
  agents: optional(lists.agents),
  labels: optional(lists.labels),
  acceptanceCriteria: optional(lists.acceptanceCriteria),
  runMode: optional(content.runMode),
  executionPolicy: optional(content.executionPolicy)
}).annotations({ identifier: "TemplateFields" })
export type TemplateFields = typeof TemplateFields.Type

/** A pattern for tasks that resemble each other (decision Q26). Its name is its own. */
export const Template = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: optional(Schema.String),
  fields: TemplateFields,
  revision: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: Schema.String,
  updatedBy: Schema.String
}).annotations({ identifier: "Template" })
export type Template = typeof Template.Type

/** The body of a create. */
export const TemplateDraft = Schema.Struct({
  name,
  description: optional(description),
  fields: optional(TemplateFields)
}).annotations({ identifier: "TemplateDraft", ...everyIssue })
export type TemplateDraft = typeof TemplateDraft.Type

/** The body of a patch. What is absent stays as it is, `null` clears; `fields` merge one by one. */
export const TemplatePatch = Schema.Struct({
  name: optional(name),
  description: clearable(description),
  fields: optional(
    Schema.Struct({
      description: clearable(content.description),
      priority: clearable(TaskPriority),
      type: clearable(TaskType),
      project: clearable(content.project),
      assignee: clearable(content.assignee),
      agents: clearable(lists.agents),
      labels: clearable(lists.labels),
      acceptanceCriteria: clearable(lists.acceptanceCriteria),
      runMode: clearable(content.runMode),
      executionPolicy: clearable(content.executionPolicy)
    })
  )
}).annotations({ identifier: "TemplatePatch", ...everyIssue })
export type TemplatePatch = typeof TemplatePatch.Type

/** The id of a template as it comes in a path or a body. */
export const TemplateIdParam = IdParam.annotations({ description: "The id of a template" })

/** The body that names the template to apply. */
export const TemplateReference = Schema.Struct({ templateId: TemplateIdParam }).annotations({
  identifier: "TemplateReference",
  ...everyIssue
})

/** A new template from its draft. */
export const create = (
  { fields = {}, ...draft }: TemplateDraft,
  origin: { readonly id: string; readonly at: string; readonly by: string }
): Template => ({
  id: origin.id,
  ...draft,
  fields: redactJson(fields),
  revision: 1,
  createdAt: origin.at,
  updatedAt: origin.at,
  createdBy: origin.by,
  updatedBy: origin.by
})

/** The template as it is after a patch, its revision raised. */
export const applyPatch = (
  template: Template,
  { fields, ...patch }: TemplatePatch,
  change: { readonly at: string; readonly by: string }
): Template => ({
  ...withoutNulls({ ...template, ...patch }),
  fields: redactJson(withoutNulls({ ...template.fields, ...fields })),
  revision: template.revision + 1,
  updatedAt: change.at,
  updatedBy: change.by
})

/** The task with its empty fields filled from a template. What is there stays, defaults such as the priority too. */
export const fillFrom = (task: StoredTask, fields: TemplateFields): StoredTask => {
  const empty = Object.entries(fields).filter(([field]) => isEmpty(Reflect.get(task, field)))
  return { ...task, ...Object.fromEntries(empty) }
}

/** A field that was never set, or whose text or list has nothing in it. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
