import { Effect } from "effect"
import { parseStored } from "../../kernel/Json.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Claim } from "./Claim.ts"

/** The stream that moves when a claim is made: its lapse is due some time. */
export const claimStream = "task-claims"

/** Writes the claims of a task. Its document and its revision stay: a renewal is no change of the task. */
export const save = (row: number, claim: Claim): Effect.Effect<void, never, Sql> => {
  const { holding } = claim
  const due = holding === undefined || holding.told === true ? null : holding.expiresAt
  return run(sql`UPDATE tasks SET claim = ${JSON.stringify(claim)}, claim_due = ${due} WHERE row = ${row}`)
}

/** A claim with its task in short. */
export interface ClaimedTask {
  readonly row: number
  readonly id: string
  readonly title: string
  readonly revision: number
  readonly claim: Claim
}

type ClaimRow = Omit<ClaimedTask, "claim"> & { readonly claim: string }

const claimedTask = (found: ClaimRow): ClaimedTask => ({ ...found, claim: parseStored<Claim>(found.claim) })

/** The claim of a task; undefined when nobody ever claimed it. */
export const find = (id: string): Effect.Effect<ClaimedTask | undefined, never, Sql> =>
  Effect.map(
    firstRow<ClaimRow>(
      sql`
        SELECT row, id, title, revision, claim FROM tasks
        WHERE id = ${id} AND archived = 0 AND claim IS NOT NULL ORDER BY row LIMIT 1`
    ),
    (found) => (found === undefined ? undefined : claimedTask(found))
  )

/** Claims whose lapse is to be told by a time, the oldest first. */
export const due = (at: number, limit: number): Effect.Effect<ReadonlyArray<ClaimedTask>, never, Sql> =>
  Effect.map(
    rows<ClaimRow>(
      sql`
        SELECT row, id, title, revision, claim FROM tasks
        WHERE claim_due <= ${at} ORDER BY claim_due LIMIT ${limit}`
    ),
    (found) => found.map(claimedTask)
  )

/** When the next lapse is to be told, in milliseconds since the epoch. */
export const nextDue: Effect.Effect<number | undefined, never, Sql> = Effect.map(
  firstRow<{ due: number | null }>(sql`SELECT MIN(claim_due) AS due FROM tasks WHERE claim_due IS NOT NULL`),
  (found) => found?.due ?? undefined
)
