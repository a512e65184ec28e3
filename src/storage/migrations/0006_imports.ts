/** Imports: dependencies on tasks that were not on the board yet when their dependents came. */
export const imports = [
  `CREATE TABLE task_import_pending (
    row INTEGER NOT NULL REFERENCES tasks (row) ON DELETE CASCADE,
    reference TEXT NOT NULL,
    PRIMARY KEY (row, reference)
  ) WITHOUT ROWID`
]
