import { Schema } from "effect"
import { IdParam } from "../../../kernel/IdParam.ts"
import { kept } from "../../../kernel/Incoming.ts"
import { optional } from "../../../kernel/Optional.ts"
import { listOf, nonBlank, strict, text } from "../../../kernel/Text.ts"
import { Timestamp } from "../../../kernel/Time.ts"
import { TrackerProvider } from "./Provider.ts"

/** The most profiles that a board has. */
export const profileLimit = 100

/** The parts of a task that can go into a field of the tracker; `literal` is the mapping's own `literalValue`. */
export const FieldSource = Schema.Literal(
  "id",
  "title",
  "description",
  "status",
  "priority",
  "type",
  "project",
  "assignee",
  "agents",
  "labels",
  "acceptanceCriteria",
  "completionSummary",
  "createdBy",
  "literal"
).annotations({ identifier: "TrackerFieldSource" })
export type FieldSource = typeof FieldSource.Type

/** What goes into one field of the tracker. `required` refuses a create whose task has nothing to put there. */
export const FieldMapping = Schema.Struct({
  trackerFieldId: nonBlank(200),
  source: FieldSource,
  required: optional(Schema.Boolean),
  literalValue: optional(text(2_000))
}).annotations({ identifier: "TrackerFieldMapping", ...strict })
export type FieldMapping = typeof FieldMapping.Type

/** The id of a profile; the client chooses it. */
export const ProfileIdInput = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, {
    message: () => "Expected 1 to 128 letters, digits, dots, dashes and underscores"
  }),
  kept("It is the id of a profile, which stands in paths as it is.")
)

/** The id of a profile in a path. Any text is accepted: an unknown id is a 404. */
export const ProfileIdParam = IdParam.annotations({ description: "The id of a tracker profile" })

const fields = {
  id: ProfileIdInput,
  name: nonBlank(200),
  provider: TrackerProvider,
  enabled: Schema.Boolean,
  defaultWorkItemType: nonBlank(200),
  defaultProjectPath: optional(nonBlank(500)),
  defaultAreaPath: optional(nonBlank(500)),
  defaultIterationPath: optional(nonBlank(500)),
  fieldMappings: listOf(FieldMapping, 100),
  backlinkFieldId: optional(nonBlank(200))
}

/** The body that stores a profile, as a whole. */
export const TrackerProfileDraft = Schema.Struct(fields).annotations({
  identifier: "TrackerProfileDraft",
  ...strict
})
export type TrackerProfileDraft = typeof TrackerProfileDraft.Type

/** How tasks become items of a tracker (spec 1-core, trackers). */
export const TrackerProfile = Schema.Struct({
  ...fields,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  updatedBy: Schema.String
}).annotations({ identifier: "TrackerProfile" })
export type TrackerProfile = typeof TrackerProfile.Type
