/** The agents that registered themselves, and what the programs of configured ones said when they were asked. */
export const runtimes = [
  `CREATE TABLE agent_registrations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    json TEXT NOT NULL,
    manifest TEXT NOT NULL,
    status TEXT NOT NULL,
    current_task_id TEXT,
    current_task_title TEXT,
    registered_at INTEGER NOT NULL,
    heartbeat_at INTEGER NOT NULL
  )`,
  `CREATE INDEX agent_registrations_heartbeat ON agent_registrations (heartbeat_at)`,
  `CREATE TABLE program_probes (
    command TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    version TEXT,
    build TEXT,
    revision INTEGER NOT NULL,
    stamp TEXT NOT NULL,
    probed_at INTEGER NOT NULL,
    checked_at INTEGER NOT NULL
  ) WITHOUT ROWID`
]
