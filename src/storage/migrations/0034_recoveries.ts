/** What follows attempts that failed or were interrupted. An attempt is recovered once: its row stands for that. */
export const recoveries = [
  `CREATE TABLE run_recoveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    task_id TEXT NOT NULL,
    parent_attempt_id TEXT NOT NULL UNIQUE,
    child_attempt_id TEXT,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    attempt_number INTEGER NOT NULL,
    scheduled_for INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )`,
  `CREATE INDEX run_recoveries_of_task ON run_recoveries (task_id, seq)`,
  `CREATE INDEX run_recoveries_due ON run_recoveries (scheduled_for) WHERE state IN ('scheduled', 'launching')`
]
