import { Schema } from "effect"

/** `sha256:` and 64 lowercase hex digits over the canonical JSON of a document without its `digest` (ruling 26). */
export const DocumentDigest = Schema.String.annotations({
  description: "`sha256:` and 64 hex digits over RFC 8785 canonical JSON without this member"
})

/** Whether a run may commit, must, or must not (spec 3-runs, Launch request fields). */
export const CommitPolicy = Schema.Literal("forbidden", "allowed", "required").annotations({
  identifier: "CommitPolicy"
})
export type CommitPolicy = typeof CommitPolicy.Type

/** How an attempt ended (spec 3-runs, Status sets). */
export const CompletionStatus = Schema.Literal(
  "success",
  "blocked",
  "failed",
  "interrupted",
  "partial"
).annotations({ identifier: "CompletionStatus" })
export type CompletionStatus = typeof CompletionStatus.Type
