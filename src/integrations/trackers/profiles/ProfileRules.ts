import type { Issue } from "../../../kernel/Failures.ts"
import type { FieldMapping, TrackerProfileDraft } from "./Profile.ts"
import { meant, type PlanningPath, type TrackerField, type TrackerSchema } from "./TrackerSchema.ts"

/** How many of the allowed values an issue names. */
const namedLimit = 10

const expected = (values: ReadonlyArray<string>): string =>
  values.length === 0
    ? "The tracker has none"
    : `Expected ${values.slice(0, namedLimit).join(", ")}${values.length > namedLimit ? " or another that the schema names" : ""}`

/** The faults of a profile against the latest schema, one or more for each wrong field; none when it fits. */
export const profileIssues = (
  profile: TrackerProfileDraft,
  schema: TrackerSchema | undefined
): ReadonlyArray<Issue> => {
  if (schema === undefined) {
    return [
      {
        path: "provider",
        message: "There is no schema yet: POST /api/integrations/trackers/introspect reads it"
      }
    ]
  }
  if (schema.provider !== profile.provider) {
    return [
      {
        path: "provider",
        message: `The latest schema is of ${schema.provider}: introspect ${profile.provider} first`
      }
    ]
  }
  return [
    ...typeIssues(profile, schema),
    ...pathIssues("defaultProjectPath", "project", profile.defaultProjectPath, schema),
    ...pathIssues("defaultAreaPath", "area", profile.defaultAreaPath, schema),
    ...pathIssues("defaultIterationPath", "iteration", profile.defaultIterationPath, schema),
    ...profile.fieldMappings.flatMap((mapping, index) => mappingIssues(mapping, index, profile, schema)),
    ...missingFields(profile, schema),
    ...backlinkIssues(profile, schema)
  ]
}

const typeIssues = ({ defaultWorkItemType }: TrackerProfileDraft, { workItemTypes }: TrackerSchema) =>
  workItemTypes.some(({ id }) => id === defaultWorkItemType)
    ? []
    : [{ path: "defaultWorkItemType", message: expected(workItemTypes.map(({ id }) => id)) }]

const pathIssues = (
  name: string,
  kind: PlanningPath["kind"],
  value: string | undefined,
  { planningPaths }: TrackerSchema
): ReadonlyArray<Issue> => {
  const known = planningPaths.filter((path) => path.kind === kind).map(({ path }) => path)
  return value === undefined || known.includes(value) ? [] : [{ path: name, message: expected(known) }]
}

const mappingIssues = (
  mapping: FieldMapping,
  index: number,
  { fieldMappings }: TrackerProfileDraft,
  { fields }: TrackerSchema
): ReadonlyArray<Issue> => {
  const issue = (name: string, message: string): ReadonlyArray<Issue> => [
    { path: `fieldMappings.${index}.${name}`, message }
  ]
  const field = fields.find(({ id }) => id === mapping.trackerFieldId)
  if (field === undefined) return issue("trackerFieldId", expected(fields.map(({ id }) => id)))
  if (fieldMappings.findIndex((other) => other.trackerFieldId === mapping.trackerFieldId) < index) {
    return issue("trackerFieldId", "This field is mapped already")
  }
  return literalIssue(mapping, field).flatMap((message) => issue("literalValue", message))
}

const literalIssue = ({ literalValue, source }: FieldMapping, field: TrackerField): ReadonlyArray<string> => {
  if (source !== "literal")
    return literalValue === undefined ? [] : ["Only a mapping whose source is literal has one"]
  if (literalValue === undefined || literalValue.trim() === "") return ["A literal mapping needs a value"]
  return field.allowedValues === undefined || meant(field.allowedValues, literalValue) !== undefined
    ? []
    : [expected(field.allowedValues)]
}

const missingFields = ({ fieldMappings }: TrackerProfileDraft, { fields }: TrackerSchema) =>
  fields
    .filter(
      ({ id, required }) => required && !fieldMappings.some(({ trackerFieldId }) => trackerFieldId === id)
    )
    .map(({ id }) => ({ path: "fieldMappings", message: `The tracker requires ${id}: map it` }))

const backlinkIssues = ({ backlinkFieldId }: TrackerProfileDraft, { fields }: TrackerSchema) => {
  const texts = fields.filter(({ type }) => type === "text").map(({ id }) => id)
  return backlinkFieldId === undefined || texts.includes(backlinkFieldId)
    ? []
    : [{ path: "backlinkFieldId", message: expected(texts) }]
}
