import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, listOf, nonBlank } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { TaskIdParam, TaskPriority } from "../tasks/Task.ts"

/** What is held: a review of the design, or a look back at what failed. */
export const CeremonyType = Schema.Literal("design-review", "failure-retrospective").annotations({
  identifier: "CeremonyType"
})
export type CeremonyType = typeof CeremonyType.Type

export const CeremonyStatus = Schema.Literal("pending", "completed").annotations({
  identifier: "CeremonyStatus"
})
export type CeremonyStatus = typeof CeremonyStatus.Type

/** Why a gate asks for a ceremony. */
export const CeremonyReason = Schema.Literal(
  "several-agents",
  "critical-priority",
  "review-heavy",
  "was-blocked",
  "failed-attempts"
).annotations({ identifier: "CeremonyReason" })
export type CeremonyReason = typeof CeremonyReason.Type

const ArtifactKind = nonBlank(64)

/** What a ceremony brought forth: minutes, a decision, a drawing in words. */
const Artifact = Schema.Struct({
  kind: ArtifactKind,
  title: nonBlank(500),
  body: nonBlank(20_000)
}).annotations({ identifier: "CeremonyArtifact" })
export type Artifact = typeof Artifact.Type

/** What somebody is to do after it. */
const ActionItem = Schema.Struct({
  title: nonBlank(500),
  priority: TaskPriority
}).annotations({ identifier: "CeremonyActionItem" })

const participants = listOf(nonBlank(200), 100)

/**
 * A ceremony about a task (spec 1-core, Other resources). `reasons` says why a gate asked for it, and is empty when
 * somebody called it. `completedBy` is who held it, in the words of the body; `recordedBy` is who sent that.
 */
export const Ceremony = Schema.Struct({
  id: Schema.String,
  type: CeremonyType,
  status: CeremonyStatus,
  taskId: Schema.String,
  runId: Schema.NullOr(Schema.String),
  workflowId: Schema.NullOr(Schema.String),
  participants: Schema.Array(Schema.String),
  requiredArtifacts: Schema.Array(Schema.String).annotations({
    description: "The kinds of artifacts that the completion must bring; when it is empty, any kind will do"
  }),
  artifacts: Schema.Array(Artifact),
  actionItems: Schema.Array(ActionItem),
  reasons: Schema.Array(CeremonyReason),
  createdAt: Timestamp,
  createdBy: Schema.String,
  completedAt: optional(Timestamp),
  completedBy: optional(Schema.String),
  recordedBy: optional(Schema.String)
}).annotations({ identifier: "Ceremony" })
export type Ceremony = typeof Ceremony.Type

/** The body that calls a ceremony. */
export const CeremonyDraft = Schema.Struct({
  type: CeremonyType,
  taskId: TaskIdParam,
  runId: optional(nonBlank(200)),
  workflowId: optional(nonBlank(200)),
  participants: optional(participants),
  requiredArtifacts: optional(listOf(ArtifactKind, 20))
}).annotations({ identifier: "CeremonyDraft", ...everyIssue })
export type CeremonyDraft = typeof CeremonyDraft.Type

/** The body that completes a ceremony. */
export const CeremonyCompletion = Schema.Struct({
  completedBy: nonBlank(200),
  artifacts: optional(listOf(Artifact, 20)),
  actionItems: optional(listOf(ActionItem, 100)),
  participants: optional(participants)
}).annotations({ identifier: "CeremonyCompletion", ...everyIssue })
export type CeremonyCompletion = typeof CeremonyCompletion.Type

/** The id of a ceremony as it comes in a path. */
export const CeremonyIdParam = IdParam.annotations({ description: "The id of a ceremony" })

/** Where a ceremony comes from: who called it and when, or which reasons did. */
export interface Origin {
  readonly id: string
  readonly at: string
  readonly by: string
  readonly reasons: ReadonlyArray<CeremonyReason>
}

/** A ceremony that waits to be held. */
export const call = (draft: CeremonyDraft, { at, by, id, reasons }: Origin): Ceremony => ({
  id,
  type: draft.type,
  status: "pending",
  taskId: draft.taskId,
  runId: draft.runId ?? null,
  workflowId: draft.workflowId ?? null,
  participants: [...new Set(draft.participants ?? [])],
  requiredArtifacts: [...new Set(draft.requiredArtifacts ?? [])],
  artifacts: [],
  actionItems: [],
  reasons,
  createdAt: at,
  createdBy: by
})

/** The ceremony as it was held. */
export const complete = (
  ceremony: Ceremony,
  { actionItems = [], artifacts = [], completedBy, participants = [] }: CeremonyCompletion,
  origin: { readonly at: string; readonly by: string }
): Ceremony => ({
  ...ceremony,
  status: "completed",
  participants: [...new Set([...ceremony.participants, ...participants])],
  artifacts,
  actionItems,
  completedAt: origin.at,
  completedBy,
  recordedBy: origin.by
})

/** The kinds of artifacts that a completion still lacks. */
export const missingKinds = (
  { requiredArtifacts }: Ceremony,
  artifacts: ReadonlyArray<Artifact> = []
): ReadonlyArray<string> =>
  requiredArtifacts.filter((kind) => !artifacts.some((artifact) => artifact.kind === kind))
