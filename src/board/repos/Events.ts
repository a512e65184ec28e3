import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"

export class RepoCreated extends Event("repo.created", "repo", {}) {}

/** The stream is that of the name that the repository had before. */
export class RepoUpdated extends Event("repo.updated", "repo", {
  fields: Schema.Array(Schema.String)
}) {}

export class RepoDeleted extends Event("repo.deleted", "repo", {}) {}
