import type { TrackerContent } from "../profiles/TrackerSchema.ts"

const named = (...names: ReadonlyArray<string>) => names.map((name) => ({ id: name, name }))

/** The form of the sample tracker: a little of everything, so that profiles can be tried without a real tracker. */
export const sampleOf = (project: string): TrackerContent => ({
  workItemTypes: named("Task", "Bug", "Feature"),
  fields: [
    { id: "title", name: "Title", type: "text", required: true, maxLength: 500 },
    { id: "description", name: "Description", type: "text", required: false, maxLength: 100_000 },
    {
      id: "priority",
      name: "Priority",
      type: "option",
      required: false,
      allowedValues: ["Low", "Medium", "High", "Critical"]
    },
    {
      id: "state",
      name: "State",
      type: "option",
      required: false,
      allowedValues: ["New", "Active", "Done"]
    },
    { id: "tags", name: "Tags", type: "list", required: false },
    { id: "assignee", name: "Assignee", type: "text", required: false, maxLength: 200 },
    { id: "backlink", name: "Backlink", type: "text", required: false, maxLength: 500 }
  ],
  planningPaths: [
    { kind: "project", path: project },
    { kind: "area", path: `${project}/Product` },
    { kind: "area", path: `${project}/Platform` },
    { kind: "iteration", path: `${project}/Now` },
    { kind: "iteration", path: `${project}/Next` }
  ],
  priorities: named("Low", "Medium", "High", "Critical"),
  states: named("New", "Active", "Done"),
  tags: named("docs", "quality", "security"),
  assignees: named("ann", "ben"),
  capabilities: {
    create: true,
    areaPaths: true,
    iterationPaths: true,
    priorities: true,
    tags: true,
    assignees: true
  },
  incomplete: []
})
