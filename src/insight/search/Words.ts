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

/** The query of the index for a text, with all of its words or with any; the last one may be a beginning. */
export const matchOf = (
  text: string,
  words: "all" | "any",
  collections: ReadonlyArray<Collection>
): string | undefined => {
  const known = wordsOf(text)
  if (known.length === 0) return undefined
  const terms = known.map((word, index) => (index === known.length - 1 ? `${quoted(word)} *` : quoted(word)))
  const said = terms.join(words === "all" ? " AND " : " OR ")
  return collections.length === 0
    ? said
    : `(${said}) AND (${collections.map((name) => quoted(placeOf(name))).join(" OR ")})`
}
