/**
 * Streams of many small facts. A stream's own row knows its end, so that its numbers go on when nothing of it is kept;
 * what a stream left behind that was forgotten is taken away piece by piece.
 */
export const log = [
  `CREATE TABLE log_streams (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    resource TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    head INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    oldest_at INTEGER,
    UNIQUE (resource, resource_id)
  )`,
  `CREATE INDEX log_streams_kept ON log_streams (resource, kept)`,
  `CREATE INDEX log_streams_oldest ON log_streams (resource, oldest_at) WHERE oldest_at IS NOT NULL`,
  `CREATE TABLE log (
    stream INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (stream, sequence)
  ) WITHOUT ROWID`,
  `CREATE TABLE log_leftovers (stream INTEGER PRIMARY KEY)`
]
