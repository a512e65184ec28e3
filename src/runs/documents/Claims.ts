import { Schema } from "effect"
import { secretFreeJson } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { listOf, nonBlank, text } from "../../kernel/Text.ts"
import { CompletionStatus } from "./Policies.ts"

/*
 * What an agent says of its own work at the end (ruling 55), whether by callback or on its last line. Claims are no
 * evidence: what the service saw itself stands beside them.
 */

const Id = nonBlank(200)
const Line = text(2_000)

const members = <A, I>(member: Schema.Schema<A, I>) => optional(listOf(member, 200))

const Blocker = Schema.Union(
  nonBlank(2_000),
  Schema.Struct({ code: optional(Id), message: nonBlank(2_000), detail: optional(Line) })
).annotations({ identifier: "CompletionBlocker" })

const Evidence = Schema.Struct({ kind: optional(Id), summary: nonBlank(2_000), reference: optional(Line) })

const ProviderEvidence = Schema.Union(
  listOf(Evidence, 200),
  secretFreeJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

export const Artifact = Schema.Struct({
  id: optional(Id),
  kind: optional(Id),
  name: optional(Id),
  path: optional(Line),
  reference: optional(Line)
}).annotations({ identifier: "CompletionArtifact" })
export type Artifact = typeof Artifact.Type

export const Verification = Schema.Struct({
  id: optional(Id),
  name: optional(Id),
  kind: optional(Id),
  status: Schema.Literal("passed", "failed", "skipped"),
  summary: optional(Line)
}).annotations({ identifier: "CompletionVerification" })
export type Verification = typeof Verification.Type

export const Continuation = Schema.Struct({
  kind: nonBlank(200),
  reference: nonBlank(2_000),
  summary: optional(Line)
}).annotations({ identifier: "CompletionContinuation" })

/** What may be claimed beside how it ended. Members that are not known are passed over. */
export const claimFields = {
  summary: optional(text(20_000)),
  blockers: members(Blocker),
  providerEvidence: optional(ProviderEvidence),
  artifacts: members(Artifact),
  verification: members(Verification),
  continuation: optional(Continuation),
  files: members(nonBlank(2_000))
}

/** What an agent claims: how it ended, and what it shows for it. */
export const Claims = Schema.Struct({ status: CompletionStatus, ...claimFields }).annotations({
  identifier: "CompletionClaims"
})
export type Claims = typeof Claims.Type
