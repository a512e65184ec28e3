/** Telemetry events: columns for what is filtered and counted, the public JSON beside them. */
export const telemetry = [
  `CREATE TABLE telemetry (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    task_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    identity TEXT,
    json TEXT NOT NULL
  )`,
  `CREATE UNIQUE INDEX telemetry_identity ON telemetry (identity) WHERE identity IS NOT NULL`,
  `CREATE INDEX telemetry_type ON telemetry (type, seq)`,
  `CREATE INDEX telemetry_task ON telemetry (task_id, type, seq)`
]
