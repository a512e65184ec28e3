/** The longest text that a message shows; the rest stays at its source. */
export const longestText = 10_000

/** At most so much of a text, without half a character at its end. */
export const cut = (text: string): string =>
  text.length <= longestText ? text : `${text.slice(0, longestText - 1).replace(/[\uD800-\uDBFF]$/, "")}…`
