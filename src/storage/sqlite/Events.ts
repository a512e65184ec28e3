import { Schema } from "effect"
import { Event } from "../Event.ts"

/** What became of a change of the journal mode at the start that it waited for. */
const outcome = {
  targetMode: Schema.Literal("wal", "delete"),
  journalMode: Schema.String,
  reasonCodes: Schema.Array(Schema.String)
}

export class JournalChangeApplied extends Event<JournalChangeApplied>()(
  "sqlite-journal.applied",
  "sqlite-journal",
  outcome
) {}

export class JournalChangeRefused extends Event<JournalChangeRefused>()(
  "sqlite-journal.refused",
  "sqlite-journal",
  outcome
) {}

export class JournalChangeFailed extends Event<JournalChangeFailed>()(
  "sqlite-journal.failed",
  "sqlite-journal",
  outcome
) {}

export class JournalChangeExpired extends Event<JournalChangeExpired>()(
  "sqlite-journal.expired",
  "sqlite-journal",
  outcome
) {}
