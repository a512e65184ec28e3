import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { optional } from "../../kernel/Optional.ts"
import { nonBlank, strict } from "../../kernel/Text.ts"
import { Instant, Timestamp } from "../../kernel/Time.ts"
import { JournalMode, JournalOverrideReport, JournalReason } from "./SqliteStorage.ts"

/** The body of a preview. A field that nobody knows is refused: no request can name a file. */
export const JournalPreviewRequest = Schema.Struct({
  targetMode: JournalMode,
  singleHost: optional(Schema.Boolean).annotations({
    description: "True: this machine alone works on the database"
  }),
  overrideReason: optional(nonBlank(500)),
  expiresAt: optional(Instant)
}).annotations({ identifier: "JournalPreviewRequest", ...strict })
export type JournalPreviewRequest = typeof JournalPreviewRequest.Type

/** What a change would do. The token is shown here and nowhere else. */
export const JournalPreview = Schema.Struct({
  previewId: Schema.String,
  previewToken: Schema.String,
  tokenExpiresAt: Timestamp,
  targetMode: JournalMode,
  currentMode: Schema.String,
  changesMode: Schema.Boolean,
  overrideNeeded: Schema.Boolean,
  overrideExpiresAt: optional(Timestamp),
  filesystemType: Schema.String,
  filesystemPosture: Schema.String,
  restartRequired: Schema.Literal(true),
  risks: Schema.Array(Schema.String)
}).annotations({ identifier: "JournalPreview" })
export type JournalPreview = typeof JournalPreview.Type

const Id = IdParam

/** The body of an apply. `confirm` repeats the id of the preview. */
export const JournalApply = Schema.Struct({
  previewId: Id,
  previewToken: Id,
  confirm: Id,
  acknowledgeRisks: Schema.Literal(true).annotations({ message: () => "Expected true" })
}).annotations({ identifier: "JournalApply", ...strict })
export type JournalApply = typeof JournalApply.Type

export const OperationId = Id.annotations({ description: "The id of a journal operation" })

/** A change of the journal mode: it waits for the next start, or is over. */
export const JournalOperationReport = Schema.Struct({
  id: Schema.String,
  state: Schema.Literal("scheduled", "applied", "refused", "failed", "expired"),
  targetMode: JournalMode,
  fromMode: Schema.String,
  resultMode: optional(Schema.String),
  reasonCodes: Schema.Array(JournalReason),
  requestedBy: Schema.String,
  requestedAt: Timestamp,
  settledAt: optional(Timestamp),
  overrideReason: optional(Schema.String),
  overrideExpiresAt: optional(Timestamp),
  restartRequired: Schema.Boolean
}).annotations({ identifier: "JournalOperationReport" })
export type JournalOperationReport = typeof JournalOperationReport.Type

/** Where the journal mode stands, and what waits for the next start. */
export const JournalStatus = Schema.Struct({
  journalMode: Schema.String,
  restartRequired: Schema.Boolean,
  scheduled: Schema.NullOr(JournalOperationReport),
  override: Schema.NullOr(JournalOverrideReport),
  lastOperation: Schema.NullOr(JournalOperationReport)
}).annotations({ identifier: "JournalStatus" })
export type JournalStatus = typeof JournalStatus.Type
