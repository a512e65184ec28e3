import { clip } from "../../kernel/Characters.ts"
import { normalized } from "../../kernel/Text.ts"

/** The most characters of a word that are compared. */
const wordLimit = 64

/** How often a word of a document counts: from the eighth time on it says nothing new. */
const repeatLimit = 8

/** The most words of a document that are taken in, so that no document holds up the others. */
const documentLimit = 20_000

/** How much of a folded text is taken in: single characters may become whole words. */
const foldedLimit = 100_000

/** The most words of a query that count. */
export const queryLimit = 16

/** Accents of Latin, Greek and Cyrillic letters; the marks of other scripts make another letter, and stay. */
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/g

/** Ligatures that stand for a whole sentence: a text of them would be eighteen times as long. */
const sentences = /[\ufdfa\ufdfb]/g

/** What nobody sees: joiners, soft hyphens, variation selectors, marks that turn the text. */
const invisible = /\p{Default_Ignorable_Code_Point}+/gu

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters of ASCII
const ascii = /^[\u0000-\u007f]*$/

/**
 * A text as it is compared: without case, accents, widths and what nobody sees. Texts that are written alike become the
 * same text, in linear time.
 */
export const fold = (text: string): string =>
  ascii.test(text) ? text.toLowerCase() : normalized(plain(text).replace(accents, ""), "NFC")

/** Small letters in pieces: what looks like a capital may be a sign of its own, and becomes one when it is taken apart. */
const plain = (text: string): string =>
  normalized(text.replace(invisible, "").replace(sentences, " "), "NFKD").toLowerCase().replaceAll("ς", "σ")

/** Words, and pictures that stand for one. */
const words = /[\p{L}\p{N}\p{M}\p{Co}]+|\p{Extended_Pictographic}|\p{RI}{2}/gu

const script = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`

/** Scripts that put no spaces between words, or that hang particles on them: only a reader knows where a word ends. */
const unspaced = new RegExp(`[${script}]`, "u")
const parts = new RegExp(`[${script}]+|[^${script}]+`, "gu")
const picture = /^(?:\p{Extended_Pictographic}|\p{RI})/u

/** A word as it was found: `run` is one in which other words stand, of a script without spaces, or a picture. */
export interface Word {
  readonly text: string
  readonly run: boolean
}

/** The words of a folded text, one after another. */
export function* wordsOf(folded: string): Generator<Word> {
  for (const [word] of folded.matchAll(words)) {
    if (!unspaced.test(word)) yield { text: clip(word, wordLimit), run: picture.test(word) }
    else {
      for (const [part] of word.matchAll(parts)) {
        yield unspaced.test(part) ? { text: part, run: true } : { text: clip(part, wordLimit), run: false }
      }
    }
  }
}

/** The characters of a run, each alone, and each with the next one: a word of any length is found by its pairs. */
function* charactersAndPairs(run: string): Generator<string> {
  let before = ""
  for (const character of run) {
    if (before !== "") yield before + character
    yield character
    before = character
  }
}

/** The pairs of a run that somebody asks for; of a single character the character. */
const pairsOf = (run: string): ReadonlyArray<string> => {
  const characters = [...run]
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/**
 * The terms by which a text can be found, at most `room` of them. A term that comes again and again counts eight times, so
 * that a document is no more work for a query than it says.
 */
export const termsOf = (text: string, room: number = documentLimit): ReadonlyArray<string> => {
  const terms: Array<string> = []
  const counts = new Map<string, number>()
  for (const word of wordsOf(clip(fold(text), foldedLimit))) {
    for (const term of word.run ? charactersAndPairs(word.text) : [word.text]) {
      const count = counts.get(term) ?? 0
      if (count >= repeatLimit) continue
      counts.set(term, count + 1)
      terms.push(term)
      if (terms.length >= room) return terms
    }
  }
  return terms
}

/** What a query asks for. */
export interface Asked {
  /** Its terms, each once. */
  readonly terms: ReadonlyArray<string>
  /** The last word, if it may be the beginning of one: three letters or more, as one or two begin half of all words. */
  readonly begun: string | undefined
  /** Its words as they stand in a text, for those who show where. */
  readonly words: ReadonlyArray<Word>
}

/** What a query asks for; undefined when it has no words. */
export const askedOf = (query: string): Asked | undefined => {
  const found = [...wordsOf(fold(query))]
  const terms = [...new Set(found.flatMap(({ run, text }) => (run ? pairsOf(text) : [text])))]
  const last = found.at(-1)
  if (last === undefined) return undefined
  return {
    terms: terms.slice(0, queryLimit),
    begun: !last.run && mayBegin(last.text) && terms.indexOf(last.text) < queryLimit ? last.text : undefined,
    words: found.slice(0, queryLimit)
  }
}

const mayBegin = (word: string): boolean =>
  word.length >= (ascii.test(word) ? 3 : 1) && /\p{L}|\p{N}/u.test(word)
