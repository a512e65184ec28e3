import { Schema } from "effect"
import { optional } from "../../../kernel/Optional.ts"
import { nonBlank, strict } from "../../../kernel/Text.ts"
import { Timestamp } from "../../../kernel/Time.ts"
import { TrackerProvider } from "./Provider.ts"

/** Something that a tracker has: the id that is sent, and the name that is shown. */
const Named = Schema.Struct({ id: Schema.String, name: Schema.String })
export type Named = typeof Named.Type

/** A field of the items of a tracker. A `list` takes several of the allowed values, an `option` one, a `text` anything. */
export const TrackerField = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  type: Schema.Literal("text", "option", "list"),
  required: Schema.Boolean,
  allowedValues: optional(Schema.Array(Schema.String)),
  maxLength: optional(Schema.Int)
}).annotations({ identifier: "TrackerField" })
export type TrackerField = typeof TrackerField.Type

/** Where an item is put: its project, its area, its iteration. */
export const PlanningPath = Schema.Struct({
  kind: Schema.Literal("project", "area", "iteration"),
  path: Schema.String
}).annotations({ identifier: "TrackerPlanningPath" })
export type PlanningPath = typeof PlanningPath.Type

/** What the project of a tracker supports. */
const Capabilities = Schema.Struct({
  create: Schema.Boolean,
  areaPaths: Schema.Boolean,
  iterationPaths: Schema.Boolean,
  priorities: Schema.Boolean,
  tags: Schema.Boolean,
  assignees: Schema.Boolean
})

const content = {
  workItemTypes: Schema.Array(Named),
  fields: Schema.Array(TrackerField),
  planningPaths: Schema.Array(PlanningPath),
  priorities: Schema.Array(Named),
  states: Schema.Array(Named),
  tags: Schema.Array(Named),
  assignees: Schema.Array(Named),
  capabilities: Capabilities,
  incomplete: Schema.Array(Schema.String).annotations({
    description: "Which lists go on at the tracker beyond what was read"
  })
}

/** The form of a project as a driver reads it, in terms that all kinds of trackers share. */
const TrackerContent = Schema.Struct(content)
export type TrackerContent = typeof TrackerContent.Type

/** The form of a project of a tracker, the same for all providers (spec 1-core, trackers). */
export const TrackerSchema = Schema.Struct({
  provider: TrackerProvider,
  project: Schema.String,
  introspectedAt: Timestamp,
  ...content
}).annotations({ identifier: "TrackerSchema" })
export type TrackerSchema = typeof TrackerSchema.Type

/** The body of an introspection. */
export const Introspection = Schema.Struct({ provider: TrackerProvider, project: nonBlank(200) }).annotations(
  {
    identifier: "TrackerIntrospection",
    ...strict
  }
)
export type Introspection = typeof Introspection.Type

/**
 * The allowed value that matches: the same, the same in other case, or the same behind a prefix, as `priority: high`
 * for `high` and `area/ui` for `ui`.
 */
export const meant = (allowed: ReadonlyArray<string>, value: string): string | undefined => {
  const low = value.toLowerCase()
  return (
    allowed.find((one) => one === value) ??
    allowed.find((one) => one.toLowerCase() === low) ??
    allowed.find((one) => one.toLowerCase().split(/[:/]/).at(-1)?.trim() === low)
  )
}
