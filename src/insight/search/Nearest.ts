import type { Meaning } from "./VectorRepo.ts"

/** A document by its closeness to a query: 1 is the same direction. */
export interface Near {
  readonly row: number
  readonly score: number
}

/** The vector that bytes of storage hold; they may begin at any address. */
const vectorOf = ({ vector }: Meaning): Float32Array =>
  new Float32Array(vector.buffer.slice(vector.byteOffset, vector.byteOffset + vector.byteLength))

const product = (one: Float32Array, other: Float32Array): number => {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}

/** The nearest of those that were found and of the next page. Vectors of another length are of another model. */
export const nearest = (
  best: ReadonlyArray<Near>,
  page: ReadonlyArray<Meaning>,
  query: Float32Array,
  limit: number
): ReadonlyArray<Near> =>
  [
    ...best,
    ...page.flatMap((meaning) => {
      const vector = vectorOf(meaning)
      return vector.length === query.length ? [{ row: meaning.row, score: product(vector, query) }] : []
    })
  ]
    .sort((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, limit)
