/** Who owns what there is one owner of. An epoch is never given twice, whatever it was given for. */
export const leases = [
  `CREATE TABLE leases (
    epoch INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    holder TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  )`
]
