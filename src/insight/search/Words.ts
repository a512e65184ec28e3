import type { Collection } from "./Search.ts"

/** The most words of a query that count. */
const wordLimit = 32

/** The words of a text: letters and digits, as the index has them too. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.normalize("NFC").match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []).slice(0, wordLimit)

/** A word as the index takes it literally. What somebody searches for never becomes syntax. */
const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`

/** The word that stands for a collection in the index. */
export const placeOf = (collection: Collection): string => `x${collection.replaceAll("-", "")}x`

/** One or two letters begin half of all words; in scripts without spaces they may be most of what somebody knows. */
const mayBegin = (word: string | undefined): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the letters of ASCII
  word !== undefined && !/^[\u0000-\u007f]{1,2}$/.test(word)

/**
 * The queries of the index for a text, the best first: for what has all of its words, for what has them with the last one
 * as a beginning, and for what has any of them. There are none for a text without words.
 */
export const matchesOf = (
  text: string,
  collections: ReadonlyArray<Collection>
): { readonly all: string; readonly begun: string | undefined; readonly any: string } | undefined => {
  const words = wordsOf(text)
  const last = words.at(-1)
  if (last === undefined) return undefined
  const known = words.map(quoted)
  const begins = mayBegin(last)
  const withBeginning = begins ? [...known.slice(0, -1), `${quoted(last)} *`] : known
  const within = (terms: ReadonlyArray<string>, operator: "AND" | "OR") => {
    const said = terms.join(` ${operator} `)
    return collections.length === 0
      ? said
      : `(${said}) AND place : (${collections.map((name) => quoted(placeOf(name))).join(" OR ")})`
  }
  return {
    all: within(known, "AND"),
    begun: begins ? within(withBeginning, "AND") : undefined,
    any: within(withBeginning, "OR")
  }
}
