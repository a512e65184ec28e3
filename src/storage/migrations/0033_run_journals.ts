/**
 * What runs say and do stands in the log; here is whose it is, and how much of it is stored. What is too long for the log
 * is a file that a row refers to. `media` is what it is: `text` or `json`.
 */
export const runJournals = [
  `CREATE TABLE run_journals (
    attempt_id TEXT PRIMARY KEY,
    task_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    provider TEXT NOT NULL,
    adapter TEXT NOT NULL,
    session_id TEXT,
    stored_bytes INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID`,
  `CREATE INDEX run_journals_of_task ON run_journals (task_id)`,
  `CREATE TABLE output_artifacts (
    id TEXT PRIMARY KEY,
    task_id TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    media TEXT NOT NULL,
    original_bytes INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    preview TEXT NOT NULL,
    digest TEXT NOT NULL REFERENCES blobs (digest),
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE INDEX output_artifacts_of_task ON output_artifacts (task_id)`,
  `CREATE INDEX output_artifacts_by_digest ON output_artifacts (digest)`,
  `CREATE INDEX output_artifacts_by_age ON output_artifacts (created_at)`
]
