import { Schema } from "effect"

/** No repository has this name. */
export class RepoNotFound extends Schema.TaggedError<RepoNotFound>()("RepoNotFound", {
  repo: Schema.String
}) {}

/** Another repository has this name. */
export class RepoNameTaken extends Schema.TaggedError<RepoNameTaken>()("RepoNameTaken", {
  repo: Schema.String
}) {}

/** The board has as many repositories as it can have. */
export class RepoLimitReached extends Schema.TaggedError<RepoLimitReached>()("RepoLimitReached", {
  limit: Schema.Int
}) {}

/** What lies at the path of the repository is none that git can work with. */
export class RepoUnusable extends Schema.TaggedError<RepoUnusable>()("RepoUnusable", {
  repo: Schema.String,
  reason: Schema.String
}) {}
