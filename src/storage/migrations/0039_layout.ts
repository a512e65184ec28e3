/** Where what is written and asked for all the time lies. */
export const layout = [
  // A place is the stream and the sequence of a fact in one number. A key of two columns held so little beside it that a
  // fact of a kilobyte took a page of its own; now three share one.
  `CREATE TABLE placed (
    place INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL
  )`,
  `INSERT INTO placed (place, at, kind, payload)
    SELECT (stream << 32) | sequence, at, kind, payload FROM log ORDER BY stream, sequence`,
  `DROP TABLE log`,
  `ALTER TABLE placed RENAME TO log`,
  // Who was put off is one of thousands, if there is anybody.
  `CREATE INDEX admission_queue_put_off ON admission_queue (due_at) WHERE state = 'queued' AND failures > 0`
]
