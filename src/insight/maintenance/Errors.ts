import { Schema } from "effect"
import { Issue } from "../../kernel/Failures.ts"
import { JournalReason } from "./SqliteStorage.ts"

/** The body of a journal request lacks what its change needs. */
export class JournalRequestInvalid extends Schema.TaggedError<JournalRequestInvalid>()(
  "JournalRequestInvalid",
  { issues: Schema.Array(Issue), reasonCodes: Schema.Array(JournalReason) }
) {}

/** The change can't be made here or now, whatever the request says. */
export class JournalChangeRefused extends Schema.TaggedError<JournalChangeRefused>()("JournalChangeRefused", {
  reasonCodes: Schema.Array(JournalReason)
}) {}

/** No preview has this id, or it is long gone. */
export class JournalPreviewNotFound extends Schema.TaggedError<JournalPreviewNotFound>()(
  "JournalPreviewNotFound",
  { previewId: Schema.String }
) {}

/** No journal operation has this id. */
export class JournalOperationNotFound extends Schema.TaggedError<JournalOperationNotFound>()(
  "JournalOperationNotFound",
  { operationId: Schema.String }
) {}

/** There is no override of the journal mode to revoke. */
export class JournalOverrideNotFound extends Schema.TaggedError<JournalOverrideNotFound>()(
  "JournalOverrideNotFound",
  {}
) {}

/** Another backup is being taken. */
export class BackupUnderWay extends Schema.TaggedError<BackupUnderWay>()("BackupUnderWay", {}) {}

/** The board could not be copied: most often the disk is full. */
export class BackupFailed extends Schema.TaggedError<BackupFailed>()("BackupFailed", {}) {}
