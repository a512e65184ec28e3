/**
 * What runs ask people for. A request of an attempt is there once, however often it comes; `response` is what an
 * elicitation was answered, for the asker alone.
 */
export const approvals = [
  `CREATE TABLE run_approvals (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL,
    task_id TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    provider_request_id TEXT NOT NULL,
    status TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    response TEXT,
    json TEXT NOT NULL
  )`,
  `CREATE UNIQUE INDEX run_approvals_request ON run_approvals (attempt_id, provider_request_id)`,
  `CREATE INDEX run_approvals_task ON run_approvals (task_id, seq)`,
  `CREATE INDEX run_approvals_agent ON run_approvals (agent_id, seq)`,
  `CREATE INDEX run_approvals_waiting ON run_approvals (expires_at) WHERE status = 'pending'`
]
