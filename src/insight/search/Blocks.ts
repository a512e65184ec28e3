/*
 * The index lies in blocks, so that a question to one of them is a bounded piece of work however large the board is: every
 * term carries the block of its document in front, and what FTS5 does for a term (counting the documents that have it,
 * ranking them, looking for the words that it begins) ends at the end of the block.
 */

/** The most documents of a block, and the most terms: ranking all of them takes some twenty milliseconds. */
export const documentLimit = 16_384
const termLimit = 1_048_576

/** Whether a document with this many terms fits into a block. */
export const roomy = (
  block: { readonly documents: number; readonly terms: number },
  terms: number
): boolean => block.documents === 0 || (block.documents < documentLimit && block.terms + terms <= termLimit)

/**
 * The name of a block in its terms: letters and digits, of one length, so that no name is the beginning of another.
 */
const nameOf = (block: number): string => block.toString(36).padStart(6, "0")

/** Terms as a column of the index holds them. */
export const inBlock = (block: number, terms: ReadonlyArray<string>): string => {
  const name = nameOf(block)
  return terms.map((term) => `${name}${term}`).join(" ")
}

/** A term of a block as a phrase of a query. Terms are letters, digits and pictures: none of them is syntax. */
export const phraseOf = (block: number, term: string): string => `"${nameOf(block)}${term}"`
