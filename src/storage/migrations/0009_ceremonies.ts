/** Ceremonies. Of each type, a task has at most one that waits. */
export const ceremonies = [
  `CREATE TABLE ceremonies (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    task_id TEXT NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    spent INTEGER NOT NULL DEFAULT 0,
    json TEXT NOT NULL
  )`,
  `CREATE UNIQUE INDEX ceremonies_pending ON ceremonies (task_id, type) WHERE status = 'pending'`,
  `CREATE INDEX ceremonies_task ON ceremonies (task_id, seq)`
]
