import { Effect } from "effect"
import { firstRow, type Query, type Sql } from "./Sql.ts"
import type { StorageService } from "./Storage.ts"

/** How many rows a part has: 250 texts of the greatest length are looked through in some ten milliseconds. */
const partSize = 250

/** A part of a table: the rows from `from` on, up to `below` and without it. */
export interface Part {
  readonly from: number
  readonly below: number
}

/**
 * Looks through a table that no index helps with, from its newest row on: part by part, each a slice of its own, so that
 * it holds up nobody however long the table is. `floor` asks for the sequence at which the next part of so many rows begins
 * (`from`), null when there are no more rows; `look` says what a part holds. It ends early when enough is found.
 */
export const walk = <A>(
  storage: Pick<StorageService, "slice">,
  floor: (below: number, size: number) => Query,
  look: (part: Part) => Effect.Effect<ReadonlyArray<A>, never, Sql>,
  enough: number = Number.POSITIVE_INFINITY
): Effect.Effect<ReadonlyArray<A>> =>
  Effect.gen(function* () {
    const found: Array<A> = []
    let below = Number.MAX_SAFE_INTEGER
    while (found.length < enough) {
      const part = yield* storage.slice(
        Effect.gen(function* () {
          const from = (yield* firstRow<{ from: number | null }>(floor(below, partSize)))?.from ?? null
          return from === null ? undefined : { from, held: yield* look({ from, below }) }
        })
      )
      if (part === undefined) break
      for (const one of part.held) found.push(one)
      below = part.from
    }
    return found
  })
