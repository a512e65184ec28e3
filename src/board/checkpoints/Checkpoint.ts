import { Schema } from "effect"
import { secretFreeJson } from "../../kernel/Incoming.ts"
import { everyIssue } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"

/** How long a checkpoint lives, in milliseconds: 24 hours from its last save. */
export const lifetime = 24 * 60 * 60 * 1_000

/** The largest state, in characters of JSON: what the largest body can carry, short of its envelope. */
const stateLimit = 1_000_000

/**
 * Where the work on a task had got to (spec 1-core, Other resources). `resumeCount` counts how often it was read since
 * it was saved.
 */
export const Checkpoint = Schema.Struct({
  taskId: Schema.String,
  state: Schema.Unknown,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  resumeCount: Schema.Int
}).annotations({ identifier: "Checkpoint" })
export type Checkpoint = typeof Checkpoint.Type

/** Any JSON value, null included. */
const State = Schema.Unknown.pipe(
  Schema.filter((state) => state !== undefined && JSON.stringify(state).length <= stateLimit, {
    message: () => `Expected a JSON value of at most ${stateLimit} characters`
  }),
  secretFreeJson
)

/** The body of a save. */
export const CheckpointDraft = Schema.Struct({ state: State }).annotations({
  identifier: "CheckpointDraft",
  ...everyIssue
})
