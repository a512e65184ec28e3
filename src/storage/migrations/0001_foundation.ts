/** What every room writes into: the outbox, the audit chain, the records of idempotent operations, singletons. */
export const foundation = [
  `CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    resource TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    stream_seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    actor TEXT NOT NULL,
    created_at INTEGER NOT NULL
  )`,
  `CREATE UNIQUE INDEX outbox_stream ON outbox (resource, resource_id, stream_seq)`,
  `CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    role TEXT NOT NULL,
    action TEXT NOT NULL,
    resource TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    details TEXT NOT NULL,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL
  )`,
  `CREATE TABLE idempotency (
    key TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    response TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE INDEX idempotency_age ON idempotency (created_at)`,
  `CREATE TABLE singletons (
    name TEXT PRIMARY KEY,
    json TEXT NOT NULL,
    updated_at INTEGER NOT NULL
  ) WITHOUT ROWID`
]
