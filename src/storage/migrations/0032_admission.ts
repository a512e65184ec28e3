/** Who has a share of the capacity, who waits for one, and whose turn it was. */
export const admission = [
  `CREATE TABLE admission_reservations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    revision INTEGER NOT NULL,
    workspace_id TEXT NOT NULL,
    provider TEXT NOT NULL,
    host_id TEXT NOT NULL,
    task_id TEXT NOT NULL,
    root_task_id TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    workflow_run_id TEXT,
    workflow_step_id TEXT,
    root_reservation_id TEXT,
    root_objective_id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    parent_node_id TEXT,
    runs INTEGER NOT NULL,
    processes INTEGER NOT NULL,
    memory_mb INTEGER NOT NULL,
    lease_epoch INTEGER NOT NULL,
    leased_until INTEGER NOT NULL,
    request TEXT NOT NULL,
    policies TEXT NOT NULL,
    evidence TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )`,
  // All that is taken stands in this index: nobody keeps a count beside it that could be wrong.
  `CREATE INDEX admission_reservations_taken
    ON admission_reservations (workspace_id, provider, host_id, runs, processes, memory_mb) WHERE state = 'active'`,
  `CREATE UNIQUE INDEX admission_reservations_active_attempt
    ON admission_reservations (attempt_id) WHERE state = 'active'`,
  `CREATE INDEX admission_reservations_leases
    ON admission_reservations (leased_until) WHERE state = 'active'`,
  `CREATE INDEX admission_reservations_attempt ON admission_reservations (attempt_id, seq)`,
  `CREATE INDEX admission_reservations_task ON admission_reservations (task_id)`,
  `CREATE INDEX admission_reservations_objective ON admission_reservations (root_objective_id)`,
  `CREATE TABLE admission_queue (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    revision INTEGER NOT NULL,
    source TEXT NOT NULL,
    priority INTEGER NOT NULL,
    workspace_id TEXT NOT NULL,
    provider TEXT NOT NULL,
    host_id TEXT NOT NULL,
    runs INTEGER NOT NULL,
    processes INTEGER NOT NULL,
    memory_mb INTEGER NOT NULL,
    attempt_id TEXT NOT NULL,
    root_task_id TEXT NOT NULL,
    root_objective_id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    request TEXT NOT NULL,
    founder TEXT NOT NULL,
    reservation_id TEXT,
    failures INTEGER NOT NULL,
    outcome TEXT,
    enqueued_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    ended_at INTEGER
  )`,
  // All that the order depends on, so that planning a thousand of them reads nothing else.
  `CREATE INDEX admission_queue_waiting
    ON admission_queue (priority, seq, due_at, source, enqueued_at, workspace_id, provider, host_id, runs, processes,
      memory_mb) WHERE state = 'queued'`,
  `CREATE UNIQUE INDEX admission_queue_attempt
    ON admission_queue (attempt_id) WHERE state IN ('queued', 'leased')`,
  `CREATE INDEX admission_queue_state ON admission_queue (state, seq)`,
  `CREATE INDEX admission_queue_objective ON admission_queue (root_objective_id)`,
  `CREATE TABLE admission_turns (
    workspace_id TEXT PRIMARY KEY,
    turn INTEGER NOT NULL
  ) WITHOUT ROWID`
]
