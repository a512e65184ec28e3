import { Schema } from "effect"
import type { Named, PlanningPath, TrackerContent } from "../profiles/TrackerSchema.ts"

/** A name in an answer, 1 to 300 characters. */
const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(300))

/** The part of a repository that is read. */
export const Repository = Schema.Struct({
  full_name: Name,
  has_issues: Schema.optional(Schema.Boolean),
  archived: Schema.optional(Schema.Boolean)
})
export const Labels = Schema.Array(Schema.Struct({ name: Name }))
export const Milestones = Schema.Array(Schema.Struct({ number: Schema.Int, title: Name }))
export const Assignees = Schema.Array(Schema.Struct({ login: Name }))

/** The longest title and text of an issue; the text leaves room for the marker. */
const titleLimit = 256
export const bodyLimit = 65_000

/** The label of an area or a priority by its prefix: `area/ui`, `area: ui`. */
const isOf = (kind: string) => (label: string) => new RegExp(`^${kind}\\s*[:/]`, "i").test(label)

const isPriority = (label: string): boolean => isOf("priority")(label) || /^p[0-4]$/i.test(label)

const named = (name: string): Named => ({ id: name, name })

/** What was read of a repository; `incomplete` names the lists that go on beyond what was read. */
export interface Read {
  readonly project: string
  readonly repository: typeof Repository.Type
  readonly labels: typeof Labels.Type
  readonly milestones: typeof Milestones.Type
  readonly assignees: typeof Assignees.Type
  readonly incomplete: ReadonlyArray<string>
}

/**
 * A repository in the form that all trackers share. It has one type of item, the issue. Milestones are iterations,
 * labels that begin with `area` are areas, and labels that begin with `priority`, and P0 to P4, are priorities.
 */
export const contentOf = ({
  assignees,
  incomplete,
  labels,
  milestones,
  project,
  repository
}: Read): TrackerContent => {
  const tags = labels.map(({ name }) => name)
  const areas = tags.filter(isOf("area"))
  const priorities = tags.filter(isPriority)
  const people = assignees.map(({ login }) => login)
  const iterations = milestones.map(({ title }) => title)
  const paths = (kind: PlanningPath["kind"], all: ReadonlyArray<string>) =>
    all.map((path) => ({ kind, path }))
  return {
    workItemTypes: [{ id: "issue", name: "Issue" }],
    fields: [
      { id: "title", name: "Title", type: "text", required: true, maxLength: titleLimit },
      { id: "body", name: "Body", type: "text", required: false, maxLength: bodyLimit },
      { id: "labels", name: "Labels", type: "list", required: false, allowedValues: tags },
      { id: "priority", name: "Priority label", type: "option", required: false, allowedValues: priorities },
      { id: "milestone", name: "Milestone", type: "option", required: false, allowedValues: iterations },
      { id: "assignees", name: "Assignees", type: "list", required: false, allowedValues: people }
    ],
    planningPaths: [
      ...paths("project", [project]),
      ...paths("area", areas),
      ...paths("iteration", iterations)
    ],
    priorities: priorities.map(named),
    states: [
      { id: "open", name: "Open" },
      { id: "closed", name: "Closed" }
    ],
    tags: tags.map(named),
    assignees: people.map(named),
    capabilities: {
      create: repository.has_issues !== false && repository.archived !== true,
      areaPaths: areas.length > 0,
      iterationPaths: iterations.length > 0,
      priorities: priorities.length > 0,
      tags: tags.length > 0,
      assignees: people.length > 0
    },
    incomplete
  }
}
