/**
 * The processes of attempts, for the next start to end those that this server could not. The row is there before the
 * process, which has no number then.
 */
export const processes = [
  `CREATE TABLE processes (
    attempt_id TEXT PRIMARY KEY,
    pid INTEGER,
    start_time TEXT,
    boot_id TEXT,
    place TEXT NOT NULL,
    recorded_at INTEGER NOT NULL
  ) WITHOUT ROWID`
]
