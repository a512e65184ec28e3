/** What happened in an attempt, and what the governance decided, entry by entry. */
export const traces = [
  `CREATE TABLE traces (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    attempt_id TEXT,
    task_id TEXT,
    json TEXT NOT NULL
  )`,
  `CREATE INDEX traces_attempt ON traces (attempt_id, seq) WHERE attempt_id IS NOT NULL`,
  `CREATE INDEX traces_task ON traces (task_id, seq) WHERE task_id IS NOT NULL`
]
