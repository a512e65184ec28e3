import { Effect } from "effect"
import { type Ask, aTask, given, just, type Scenario } from "./Scenario.ts"

const at = "/api/integrations/trackers"

const profile = {
  id: "demo",
  name: "Demo",
  provider: "local",
  enabled: true,
  defaultWorkItemType: "Task",
  defaultProjectPath: "demo",
  defaultAreaPath: "demo/Product",
  defaultIterationPath: "demo/Now",
  fieldMappings: [
    { trackerFieldId: "title", source: "title", required: true },
    { trackerFieldId: "state", source: "literal", literalValue: "New" }
  ],
  backlinkFieldId: "backlink"
}

const introspection = { provider: "local", project: "demo" }

const aSchema = (ask: Ask) => ask("POST", `${at}/introspect`, { as: "admin", body: introspection })
const aProfile = (ask: Ask) =>
  Effect.zipRight(aSchema(ask), ask("PUT", `${at}/profiles/demo`, { as: "admin", body: profile }))
const aTaskAndProfile = (ask: Ask) => Effect.zipRight(aProfile(ask), aTask(ask))
const path = { profileId: "demo" }

/** The sample tracker is the tracker here: it is built in, and nothing is sent. */
export const trackers: Readonly<Record<string, Scenario>> = {
  "trackers.connection": just(),
  "trackers.connect": just({ body: { provider: "local", project: "demo", enabled: true } }),
  "trackers.schema": given(aSchema, () => ({})),
  "trackers.introspect": just({ body: introspection }),
  "trackers.profiles": given(aProfile, () => ({})),
  "trackers.saveProfile": given(aSchema, () => ({ path, body: profile })),
  "trackers.validate": given(aProfile, () => ({ path, links: 0 })),
  "trackers.preview": given(aTaskAndProfile, ({ id }) => ({ path, body: { taskId: id }, links: 0 })),
  "trackers.create": given(aTaskAndProfile, ({ id }) => ({
    path,
    body: { taskId: id, approvedBy: "Ann" },
    // The intent, the item, the task, and the link between them.
    links: 4
  })),
  "trackers.audits": given(aProfile, () => ({ query: "?limit=5&offset=1" }))
}
