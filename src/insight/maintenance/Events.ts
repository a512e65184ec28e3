import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { JournalMode } from "./SqliteStorage.ts"

/** A copy of the board was taken; the stream is the workspace's. */
export class BoardBackedUp extends Event("board.backed-up", "board", {
  sizeBytes: Schema.Int
}) {}

export class JournalChangePreviewed extends Event("sqlite-journal.previewed", "sqlite-journal", {
  targetMode: JournalMode,
  overrideNeeded: Schema.Boolean
}) {}

export class JournalChangeScheduled extends Event("sqlite-journal.scheduled", "sqlite-journal", {
  targetMode: JournalMode,
  previewId: Schema.String
}) {}

/** The override was revoked; an operation that waited for the next start is withdrawn with it. */
export class JournalOverrideRevoked extends Event("sqlite-journal.override-revoked", "sqlite-journal", {
  withdrawnOperationId: Schema.NullOr(Schema.String)
}) {}
