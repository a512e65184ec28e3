import { Schema } from "effect"
import { Event } from "../events/Event.ts"

/** What became of a change of the journal mode at the start that it waited for. */
const outcome = {
  targetMode: Schema.Literal("wal", "delete"),
  journalMode: Schema.String,
  reasonCodes: Schema.Array(Schema.String)
}

export class JournalChangeApplied extends Event("sqlite-journal.applied", "sqlite-journal", outcome) {}

export class JournalChangeRefused extends Event("sqlite-journal.refused", "sqlite-journal", outcome) {}

export class JournalChangeFailed extends Event("sqlite-journal.failed", "sqlite-journal", outcome) {}

export class JournalChangeExpired extends Event("sqlite-journal.expired", "sqlite-journal", outcome) {}
