import { Schema } from "effect"
import { Remark } from "../documents/Phase.ts"

/** Neither configuration nor registry knows the agent. */
export class AgentUnknown extends Schema.TaggedError<AgentUnknown>()("AgentUnknown", {
  agent: Schema.String
}) {}

/** No profile has this id. */
export class ProfileUnknown extends Schema.TaggedError<ProfileUnknown>()("ProfileUnknown", {
  profileId: Schema.String
}) {}

/** No attempt has this id, so none can be continued from it. */
export class ParentUnknown extends Schema.TaggedError<ParentUnknown>()("ParentUnknown", {
  parentAttemptId: Schema.String
}) {}

/** The parent is an attempt of the same task that is not over. */
export class ParentActive extends Schema.TaggedError<ParentActive>()("ParentActive", {
  parentAttemptId: Schema.String
}) {}

/** An attempt waits or runs on this task: a task has one at a time. */
export class AttemptActive extends Schema.TaggedError<AttemptActive>()("AttemptActive", {
  taskId: Schema.String,
  attemptId: Schema.String
}) {}

/** The key of this start was used for another one. */
export class LaunchKeyReused extends Schema.TaggedError<LaunchKeyReused>()("LaunchKeyReused", {
  taskId: Schema.String
}) {}

/** What was asked for cannot be launched as it stands (ruling 78): nothing was started. */
export class LaunchRefused extends Schema.TaggedError<LaunchRefused>()("LaunchRefused", {
  requiredCapabilities: Schema.Array(Schema.String),
  reasons: Schema.Array(Schema.String),
  manifest: Schema.Struct({ provider: Schema.String, digest: Schema.String }),
  remediation: Schema.String,
  blockers: Schema.Array(Remark)
}) {}
