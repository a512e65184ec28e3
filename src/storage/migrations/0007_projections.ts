/** How far each read model has read the outbox. */
export const projections = [
  `CREATE TABLE projections (
    name TEXT PRIMARY KEY,
    cursor INTEGER NOT NULL
  ) WITHOUT ROWID`
]
