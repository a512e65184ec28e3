import { clip } from "../../kernel/Characters.ts"
import { type Asked, fold, type Word } from "./Terms.ts"

/** The longest snippet in UTF-16 units, without its ellipses, and how much of it stands before the first match. */
export const snippetLimit = 240
const lead = 60

/** How often each word is looked for in one text. */
const triesLimit = 500

/** How much of a text is looked at character by character. */
const movedLimit = 4_000

/** A character with its marks. */
const characters = /\P{M}\p{M}*|\p{M}+/gsu

const partOfWord = /[\p{L}\p{N}\p{M}]/u

/** What must not begin a snippet: the second half of a character, a mark, what joins two pictures. */
const middles = /^(?:[\uDC00-\uDFFF]|\p{M}|\p{Default_Ignorable_Code_Point}){1,32}/u

/** Where a word stands in a folded text; at most a few of all places. */
const placesOf = ({ run, text }: Word, folded: string, begins: boolean): ReadonlyArray<number> => {
  const places: Array<number> = []
  let from = 0
  for (let tries = 0; tries < triesLimit; tries += 1) {
    const at = folded.indexOf(text, from)
    if (at < 0) break
    const end = at + text.length
    const whole =
      run || (!partOfWord.test(folded.charAt(at - 1)) && (begins || !partOfWord.test(folded.charAt(end))))
    if (whole) places.push(at)
    from = end
  }
  return places
}

interface Place {
  readonly at: number
  readonly word: number
}

/** Where the window begins that shows the most words; the first of them. */
const bestOf = (places: ReadonlyArray<Place>): number | undefined => {
  let best: number | undefined
  let most = 0
  const inside = new Map<number, number>()
  let end = 0
  for (const { at, word } of places) {
    for (; end < places.length; end += 1) {
      const next = places[end]
      if (next === undefined || next.at >= at + snippetLimit - lead) break
      inside.set(next.word, (inside.get(next.word) ?? 0) + 1)
    }
    if (inside.size > most) {
      most = inside.size
      best = at
    }
    const left = (inside.get(word) ?? 1) - 1
    if (left === 0) inside.delete(word)
    else inside.set(word, left)
  }
  return best
}

/** A folded text, and where each place of it stands in the text as it was written. */
interface Folded {
  readonly folded: string
  readonly origin: (at: number) => number
}

/** Hardly a character has another length when it is folded. Where one has, the places are found character by character. */
const foldedOf = (text: string): Folded => {
  const whole = fold(text)
  if (whole.length === text.length) return { folded: whole, origin: (at) => at }
  const origins: Array<number> = []
  let folded = ""
  for (const { 0: character, index } of clip(text, movedLimit).matchAll(characters)) {
    const piece = fold(character)
    for (let unit = 0; unit < piece.length; unit += 1) origins.push(index)
    folded += piece
  }
  return { folded, origin: (at) => origins[at] ?? 0 }
}

/** Where the words of a query begin to stand in a text. */
const matchIn = (text: string, { begun, words }: Asked): number | undefined => {
  const { folded, origin } = foldedOf(text)
  const places = words
    .flatMap((word, index) =>
      placesOf(word, folded, word.text === begun).map((at): Place => ({ at, word: index }))
    )
    .sort((a, b) => a.at - b.at)
  const best = bestOf(places)
  return best === undefined ? undefined : origin(best)
}

/** The part of a text from a place on, cut where a word or at least a character ends. */
const cut = (text: string, match: number): string => {
  let start = Math.max(0, Math.min(match - lead, text.length - snippetLimit))
  if (start > 0) {
    const space = text.slice(start, Math.min(match, start + 24)).search(/\s/)
    if (space >= 0) start += space + 1
    start += middles.exec(text.slice(start, start + 32))?.[0].length ?? 0
  }
  const piece = clip(text.slice(start), snippetLimit)
  return `${start > 0 ? "…" : ""}${piece.trim()}${start + piece.length < text.length ? "…" : ""}`
}

/**
 * The part of a text that shows the most words of a query, of at most 240 characters; undefined when there are none in it.
 */
export const snippetOf = (text: string, asked: Asked): string | undefined => {
  const match = matchIn(text, asked)
  return match === undefined ? undefined : cut(text, match)
}

/** The beginning of a text, when no part of it shows a match. */
export const beginningOf = (text: string): string => cut(text, 0)
