/** What stands around a task: observations, checkpoints, templates, reports. */
export const board = [
  `CREATE TABLE observations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    task_id TEXT NOT NULL,
    type TEXT NOT NULL,
    content TEXT NOT NULL,
    folded TEXT NOT NULL,
    importance INTEGER NOT NULL,
    agent TEXT,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL
  )`,
  `CREATE INDEX observations_task ON observations (task_id, seq)`,
  `CREATE TABLE checkpoints (
    task_id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    resume_count INTEGER NOT NULL
  )`,
  `CREATE INDEX checkpoints_expiry ON checkpoints (expires_at)`,
  `CREATE TABLE templates (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL,
    json TEXT NOT NULL
  )`,
  `CREATE TABLE delegation_violations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    json TEXT NOT NULL,
    created_at INTEGER NOT NULL
  )`
]
