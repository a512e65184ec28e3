/** Words of operators over circuits and over the journal mode of SQLite. */
export const health = [
  `CREATE TABLE circuit_overrides (
    key TEXT PRIMARY KEY,
    mode TEXT NOT NULL,
    reason TEXT NOT NULL,
    until INTEGER NOT NULL,
    actor TEXT NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE circuit_resets (
    key TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE journal_previews (
    id TEXT PRIMARY KEY,
    token_hash TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used INTEGER NOT NULL,
    json TEXT NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE journal_operations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    json TEXT NOT NULL
  )`,
  `CREATE UNIQUE INDEX journal_operations_scheduled ON journal_operations (state) WHERE state = 'scheduled'`
]
