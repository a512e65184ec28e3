/**
 * Tasks. `tasks` is narrow and holds what is filtered, sorted and counted; the public JSON stands beside it, so that
 * moving a card rewrites no document. `id` is not unique: an import may bring duplicates, which are kept and reported.
 */
export const tasks = [
  `CREATE TABLE tasks (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    archived INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    position INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    title TEXT NOT NULL,
    status TEXT NOT NULL,
    priority TEXT NOT NULL,
    type TEXT NOT NULL,
    project TEXT,
    assignee TEXT,
    tracked_ms INTEGER NOT NULL,
    timer_running INTEGER NOT NULL,
    source_id TEXT
  )`,
  `CREATE INDEX tasks_id ON tasks (id, archived, row)`,
  `CREATE INDEX tasks_board ON tasks (archived, lane, position)`,
  `CREATE INDEX tasks_time ON tasks (tracked_ms) WHERE tracked_ms > 0 OR timer_running = 1`,
  `CREATE INDEX tasks_source ON tasks (source_id) WHERE source_id IS NOT NULL`,
  `CREATE TABLE task_documents (
    row INTEGER PRIMARY KEY REFERENCES tasks (row) ON DELETE CASCADE,
    json TEXT NOT NULL
  )`,
  `CREATE TABLE task_agents (
    row INTEGER NOT NULL REFERENCES tasks (row) ON DELETE CASCADE,
    agent TEXT NOT NULL,
    PRIMARY KEY (row, agent)
  ) WITHOUT ROWID`,
  `CREATE INDEX task_agents_agent ON task_agents (agent)`,
  `CREATE TABLE task_identities (
    row INTEGER NOT NULL REFERENCES tasks (row) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (row, kind, key)
  ) WITHOUT ROWID`,
  `CREATE INDEX task_identities_key ON task_identities (kind, key)`,
  `CREATE TABLE identity_conflicts (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  ) WITHOUT ROWID`,
  `CREATE TABLE task_dependencies (
    row INTEGER NOT NULL REFERENCES tasks (row) ON DELETE CASCADE,
    task_id TEXT NOT NULL,
    depends_on TEXT NOT NULL,
    PRIMARY KEY (row, depends_on)
  ) WITHOUT ROWID`,
  `CREATE INDEX task_dependencies_task ON task_dependencies (task_id)`,
  `CREATE INDEX task_dependencies_depends_on ON task_dependencies (depends_on)`
]
