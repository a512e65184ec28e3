/**
 * The log by places, each the stream and the sequence of a fact in one number. A key of two columns held so little beside
 * it that a fact of a kilobyte took a page of its own; now three share one.
 */
export const logPlaces = [
  `CREATE TABLE placed (
    place INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL
  )`,
  `INSERT INTO placed (place, at, kind, payload)
    SELECT (stream << 32) | sequence, at, kind, payload FROM log ORDER BY stream, sequence`,
  `DROP TABLE log`,
  `ALTER TABLE placed RENAME TO log`
]
