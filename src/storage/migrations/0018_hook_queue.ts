/** What waits for each hook, in the order of its turn: who is next, and how many there are, without reading the rows. */
export const hookQueue = [
  `CREATE INDEX hook_executions_waiting ON hook_executions (hook_id, next_at, seq) WHERE next_at IS NOT NULL`
]
