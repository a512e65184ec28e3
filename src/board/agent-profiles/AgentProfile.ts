import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, nonBlank, text } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { ImportSource } from "./ImportSource.ts"

/** The most profiles that a board has, and the longest prompt, in characters. */
export const profileLimit = 500
export const promptLimit = 20_000

/** What a profile would like to run on. It is no evidence that there is such a thing. */
export const ProfilePreferences = Schema.Struct({
  runtime: optional(Schema.String),
  model: optional(Schema.String),
  provider: optional(Schema.String)
}).annotations({ identifier: "ProfilePreferences" })

export const ProfileMetadata = Schema.Struct({
  namePool: optional(Schema.Array(Schema.String)).annotations({
    description: "Names that agents of this profile may go by"
  })
}).annotations({ identifier: "ProfileMetadata" })

/** What an agent is told to be. One that is not enabled is used for nothing. */
export const AgentProfile = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  enabled: Schema.Boolean,
  prompt: Schema.String,
  description: optional(Schema.String),
  avatarUrl: optional(Schema.String).annotations({
    description: "Shown as it is; the service never calls it"
  }),
  preferences: ProfilePreferences,
  metadata: ProfileMetadata,
  source: optional(ImportSource),
  revision: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "AgentProfile" })
export type AgentProfile = typeof AgentProfile.Type

/** The part of a profile that belongs to its source: a refresh replaces it as a whole. */
export type ProfileContent = Pick<AgentProfile, "name" | "prompt" | "avatarUrl" | "preferences" | "metadata">

/** The body of a change: what it names is replaced. */
export const AgentProfilePatch = Schema.Struct({
  name: optional(nonBlank(200)),
  enabled: optional(Schema.Boolean),
  prompt: optional(text(promptLimit))
}).annotations({ identifier: "AgentProfilePatch", ...everyIssue })
export type AgentProfilePatch = typeof AgentProfilePatch.Type

/** The id of a profile as it comes in a path. */
export const AgentProfileIdParam = IdParam.annotations({ description: "The id of a profile" })
