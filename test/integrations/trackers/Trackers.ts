import { Effect } from "effect"
import { ask } from "../../support/Board.ts"
import { World } from "../../support/World.ts"

export const at = "/api/integrations/trackers"

/** A profile that fits the sample tracker. */
export const sampleProfile = {
  id: "sample",
  name: "Sample",
  provider: "local",
  enabled: true,
  defaultWorkItemType: "Task",
  defaultProjectPath: "demo",
  defaultAreaPath: "demo/Product",
  defaultIterationPath: "demo/Now",
  fieldMappings: [
    { trackerFieldId: "title", source: "title", required: true },
    { trackerFieldId: "description", source: "description" },
    { trackerFieldId: "priority", source: "priority" },
    { trackerFieldId: "state", source: "literal", literalValue: "New" },
    { trackerFieldId: "tags", source: "labels" }
  ],
  backlinkFieldId: "backlink"
}

/** A profile that fits the stand-in for GitHub. */
export const githubProfile = {
  id: "github",
  name: "GitHub",
  provider: "github",
  enabled: true,
  defaultWorkItemType: "issue",
  fieldMappings: [
    { trackerFieldId: "title", source: "title" },
    { trackerFieldId: "body", source: "description" },
    { trackerFieldId: "labels", source: "labels" },
    { trackerFieldId: "priority", source: "priority" },
    { trackerFieldId: "assignees", source: "agents" }
  ]
}

export const connect = (body: object) => ask("PUT", `${at}/connection`, { as: "admin", body })

export const introspect = (provider: string, project: string) =>
  ask("POST", `${at}/introspect`, { as: "admin", body: { provider, project } })

interface Profile {
  readonly id: string
  readonly [field: string]: unknown
}

export const saveProfile = (profile: Profile) =>
  ask("PUT", `${at}/profiles/${profile.id}`, { as: "admin", body: profile })

/** A board that can make items at the sample tracker. */
export const sample = Effect.zipRight(introspect("local", "demo"), saveProfile(sampleProfile))

/** A board that can make issues at an address. */
export const board = (baseUrl: string, profile: Profile = githubProfile) =>
  Effect.gen(function* () {
    yield* connect({ provider: "github", baseUrl, project: "acme/board", credentialRef: "env:TRACKER_KEY" })
    yield* introspect("github", "acme/board")
    yield* saveProfile(profile)
  })

/** Asks for an item; the answer may be a refusal. */
export const create = (taskId: string, profileId: string, approvedBy = "Ann") =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", `${at}/profiles/${profileId}/create`, { as: "admin", body: { taskId, approvedBy } })
  )
