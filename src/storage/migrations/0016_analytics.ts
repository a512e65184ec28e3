/**
 * What analytics reads, made from the outbox: each task that there is with its times, how many came on each day, and
 * what was completed. Days are counted from 1970, in UTC; completions outlive their tasks.
 */
export const analytics = [
  `CREATE TABLE analytics_tasks (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id TEXT NOT NULL,
    status TEXT NOT NULL,
    archived INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    began_at INTEGER,
    last_at INTEGER NOT NULL
  )`,
  `CREATE INDEX analytics_tasks_task ON analytics_tasks (task_id, archived, row)`,
  `CREATE INDEX analytics_tasks_status ON analytics_tasks (status, last_at) WHERE archived = 0`,
  `CREATE TABLE analytics_arrivals (
    day INTEGER PRIMARY KEY,
    created INTEGER NOT NULL
  )`,
  `CREATE TABLE analytics_completions (
    task_row INTEGER PRIMARY KEY,
    day INTEGER NOT NULL,
    cycle_ms INTEGER
  )`,
  `CREATE INDEX analytics_completions_day ON analytics_completions (day, cycle_ms)`
]
