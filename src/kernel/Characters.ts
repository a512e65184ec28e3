/*
 * What a reader sees of a text, and how many characters they count.
 */

/** The first `max` UTF-16 units of a text, or one less, so that no character is cut into two. */
export const clip = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "")

/** What a reader does not see: white space, controls, characters without a form, and the empty cell of Braille. */
const unseen = /[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** How many characters of a text a reader sees or steps over: code points between the first and the last seen one. */
export const visibleLength = (text: string): number => [...withoutInvisible(text).trim()].length

const withoutInvisible = (text: string): string =>
  text.replace(unseen, (character) => (character.trim() === "" ? character : ""))

/** Whether a reader sees anything of a text at all. */
export const isVisible = (text: string): boolean => text.replace(unseen, "") !== ""

let graphemes: Intl.Segmenter | undefined

/** Where each character of a text begins. The segmenter reads its tables when it is made, which most texts never need. */
const beginningsIn = (text: string): ReadonlyArray<number> => {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })
  return Array.from(graphemes.segment(text), ({ index }) => index)
}

/** So many UTF-16 units count as one character at the most: a family in four skin colours has nineteen. */
const unitsPerCharacter = 32

/** How much of a text is cut into characters at once: what a segmenter takes for each grows with what it is given. */
const window = 1_024

/** The longest text that is measured by its clusters: 2,000 of them take some ten milliseconds. */
const countedByReaders = 2_000

/**
 * Whether a text has at most `max` characters, as a reader counts them: grapheme clusters, or code points where nobody
 * counts, above 2,000. Most texts are shorter in units already; of others no more is looked at than it takes to know.
 */
export const isAtMost = (text: string, max: number): boolean => {
  if (text.length <= max) return true
  if (max > countedByReaders) return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0) <= max
  if (text.length > max * unitsPerCharacter) return false
  let count = 0
  for (let start = 0; start < text.length; ) {
    const part = wholeCharacters(text.slice(start, start + window))
    const isLast = start + part.length >= text.length
    const begun = beginningsIn(part)
    // The last character of a part may go on in the next one, which therefore begins with it.
    const next = isLast ? part.length : (begun.at(-1) ?? 0) || part.length
    count += isLast || begun.length === 1 ? begun.length : begun.length - 1
    if (count > max) return false
    start += next
  }
  return true
}

/** A part of a text that does not end within a pair of surrogates: half of one would count by itself. */
const wholeCharacters = (part: string): string => (/[\ud800-\udbff]$/.test(part) ? part.slice(0, -1) : part)

/** The beginning of a text that has at most `max` characters. */
export const upTo = (text: string, max: number): string =>
  isAtMost(text, max) ? text : clip(text, max).trimEnd()
