/** Hooks, and every event on its way to one of them. */
export const hooks = [
  `CREATE TABLE hooks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    event TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    since INTEGER NOT NULL,
    json TEXT NOT NULL
  )`,
  `CREATE INDEX hooks_event ON hooks (event) WHERE enabled = 1`,
  `CREATE TABLE hook_executions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    hook_id TEXT NOT NULL,
    event TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    status_code INTEGER,
    error TEXT,
    duration_ms INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    next_at INTEGER,
    facts TEXT NOT NULL
  )`,
  `CREATE INDEX hook_executions_due ON hook_executions (next_at, seq) WHERE next_at IS NOT NULL`,
  `CREATE INDEX hook_executions_hook ON hook_executions (hook_id, seq)`
]
