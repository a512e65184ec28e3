import { Schema } from "effect"
import { ExecutionPolicy, ExpectedOutput } from "../../board/tasks/TaskParts.ts"
import { optional } from "../../kernel/Optional.ts"
import { CommitPolicy, DocumentDigest } from "./Policies.ts"

/** A file that was not as HEAD has it when the run began (ruling 83). Untracked files count, ignored ones do not. */
export const BaselineFile = Schema.Struct({
  path: Schema.String,
  status: Schema.String.annotations({ description: "The two letters of `git status`, such as ` M` or `??`" }),
  indexBlobHash: Schema.NullOr(Schema.String),
  worktreeSha256: Schema.NullOr(Schema.String)
}).annotations({ identifier: "BaselineFile" })
export type BaselineFile = typeof BaselineFile.Type

/** What the workspace was when the run began. Without a repository there is no head and no file. */
export const Baseline = Schema.Struct({
  headSha: Schema.NullOr(Schema.String),
  dirty: Schema.Boolean,
  files: Schema.Array(BaselineFile)
}).annotations({ identifier: "WorkspaceBaseline" })
export type Baseline = typeof Baseline.Type

/** The task as the agent was given it. */
const Subject = Schema.Struct({
  title: Schema.String,
  description: optional(Schema.String),
  type: Schema.String,
  priority: Schema.String,
  project: optional(Schema.String),
  labels: Schema.Array(Schema.String),
  acceptanceCriteria: Schema.Array(Schema.Struct({ text: Schema.String, done: Schema.Boolean }))
})

/** What a run is to do, within which limits, and what it began with (spec 3-runs, Task envelope; ruling 104). */
export const TaskEnvelope = Schema.Struct({
  schemaVersion: Schema.Literal("task-envelope/v1"),
  taskId: Schema.String,
  attemptId: Schema.String,
  subject: Subject,
  commitPolicy: CommitPolicy,
  policy: ExecutionPolicy,
  expectedOutputs: Schema.Array(ExpectedOutput),
  gates: Schema.Array(Schema.String).annotations({ description: "The enforcement gates that are on" }),
  workspace: Schema.Struct({ path: Schema.NullOr(Schema.String), baseline: Baseline }),
  launchManifest: Schema.Struct({ digest: Schema.String }),
  transport: Schema.Struct({
    schemaVersion: Schema.Literal("provider-task-envelope-transport/v1"),
    kind: Schema.Literal("callback", "stdin"),
    promptBytes: Schema.Int
  }),
  digest: DocumentDigest
}).annotations({ identifier: "TaskEnvelope" })
export type TaskEnvelope = typeof TaskEnvelope.Type
