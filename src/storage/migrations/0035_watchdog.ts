/**
 * What was found about runs that make no progress. `episode` tells one silence or repetition of an attempt from the next;
 * `override` is what somebody decided about it, `action` what was done for that.
 */
export const watchdog = [
  `CREATE TABLE watchdog_findings (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    task_id TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    episode INTEGER NOT NULL,
    finding TEXT NOT NULL,
    override TEXT,
    action TEXT,
    UNIQUE (attempt_id, kind, episode)
  )`,
  `CREATE INDEX watchdog_findings_of_attempt ON watchdog_findings (attempt_id, seq)`,
  `CREATE INDEX watchdog_findings_of_task ON watchdog_findings (task_id)`
]
