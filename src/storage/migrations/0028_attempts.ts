/**
 * The attempts of agents at tasks. `seq` is their order. What a run was launched with and what came of it are documents
 * that never change; their digests stand beside them. A key of a start counts for good.
 */
export const attempts = [
  `CREATE TABLE attempts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    task_id TEXT NOT NULL,
    agent TEXT NOT NULL,
    provider TEXT NOT NULL,
    source TEXT NOT NULL,
    state TEXT NOT NULL,
    status TEXT,
    parent_attempt_id TEXT,
    queue_id TEXT,
    workspace TEXT,
    requested_by TEXT NOT NULL,
    request TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    runtime_manifest_digest TEXT,
    launch_manifest_digest TEXT,
    envelope_digest TEXT,
    runtime_manifest TEXT,
    launch_manifest TEXT,
    envelope TEXT,
    result TEXT
  )`,
  // A task has one attempt at a time, however many starts arrive at once; the steps of workflows stand beside it.
  `CREATE UNIQUE INDEX attempts_active ON attempts (task_id) WHERE state <> 'ended' AND source <> 'workflow'`,
  `CREATE INDEX attempts_of_task ON attempts (task_id, seq)`,
  `CREATE INDEX attempts_running ON attempts (seq) WHERE state = 'running'`,
  `CREATE INDEX attempts_running_of ON attempts (agent) WHERE state = 'running'`,
  `CREATE INDEX attempts_starting ON attempts (seq) WHERE state = 'starting'`,
  `CREATE TABLE launch_keys (
    task_id TEXT NOT NULL,
    key_hash TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (task_id, key_hash)
  ) WITHOUT ROWID`,
  // What attempts have used outlives their task: it was paid for.
  `CREATE TABLE attempt_usage (
    attempt_id TEXT NOT NULL,
    model TEXT NOT NULL,
    task_id TEXT NOT NULL,
    agent TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost REAL,
    reports INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (attempt_id, model)
  ) WITHOUT ROWID`
]
