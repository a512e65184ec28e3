/**
 * The processes of attempts, for the next start to end those that this server could not. The row is there before the
 * process, which has no number then. It names the server too: a copy of the board that is started beside it must leave
 * its agents alone.
 */
export const processes = [
  `CREATE TABLE processes (
    attempt_id TEXT PRIMARY KEY,
    pid INTEGER,
    start_time TEXT,
    boot_id TEXT,
    server_pid INTEGER NOT NULL,
    server_start_time TEXT NOT NULL,
    place TEXT NOT NULL,
    recorded_at INTEGER NOT NULL
  ) WITHOUT ROWID`
]
