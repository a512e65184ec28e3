/**
 * Claims of tasks. They stand beside the columns that every read and every write of a task fetches anyway, so that a task
 * without one costs nothing, and renewing one rewrites no document. `claim_due` is when the claim lapses, in milliseconds
 * since the epoch, until that was told; then, and without a claim that lasts, it is null.
 */
export const claims = [
  `ALTER TABLE tasks ADD COLUMN claim TEXT`,
  `ALTER TABLE tasks ADD COLUMN claim_due INTEGER`,
  `CREATE INDEX tasks_claim_due ON tasks (claim_due) WHERE claim_due IS NOT NULL`
]
