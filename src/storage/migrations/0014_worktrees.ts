/** Repositories, and the manifests of the worktrees that tasks have of them. */
export const worktrees = [
  `CREATE TABLE repos (
    name TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    default_branch TEXT NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE worktrees (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    task_id TEXT,
    path TEXT NOT NULL,
    state TEXT NOT NULL,
    live INTEGER NOT NULL,
    lease_expires_at INTEGER NOT NULL,
    trash_until INTEGER,
    json TEXT NOT NULL
  )`,
  `CREATE INDEX worktrees_task ON worktrees (task_id, seq)`,
  `CREATE UNIQUE INDEX worktrees_live_task ON worktrees (task_id) WHERE live = 1`,
  `CREATE UNIQUE INDEX worktrees_live_path ON worktrees (path) WHERE live = 1`,
  `CREATE INDEX worktrees_expiring ON worktrees (lease_expires_at) WHERE live = 1`,
  `CREATE INDEX worktrees_trash ON worktrees (trash_until) WHERE trash_until IS NOT NULL`
]
