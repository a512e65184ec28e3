/** How tasks become items of a tracker, what came of it, and the items of the tracker that is built in. */
export const trackers = [
  `CREATE TABLE tracker_profiles (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    json TEXT NOT NULL
  )`,
  `CREATE TABLE tracker_creations (
    task_id TEXT NOT NULL,
    profile_id TEXT NOT NULL,
    marker TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    provider TEXT NOT NULL,
    base_url TEXT NOT NULL,
    project TEXT NOT NULL,
    sent_at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    approved_by TEXT NOT NULL,
    item TEXT,
    PRIMARY KEY (task_id, profile_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX tracker_creations_open ON tracker_creations (state) WHERE state IN ('creating', 'created')`,
  `CREATE TABLE tracker_audits (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    json TEXT NOT NULL
  )`,
  `CREATE TABLE tracker_local_items (
    project TEXT NOT NULL,
    number INTEGER NOT NULL,
    marker TEXT NOT NULL UNIQUE,
    json TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (project, number)
  )`
]
