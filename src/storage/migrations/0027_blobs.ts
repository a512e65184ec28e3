/** Files that rows refer to. Whoever refers to one does so by a foreign key to here, with an index on it. */
export const blobs = [
  `CREATE TABLE blobs (
    digest TEXT PRIMARY KEY,
    size_bytes INTEGER NOT NULL
  ) WITHOUT ROWID`
]
