import { endOfRun, findRun, membersOf } from "./Runs.ts"
import { marker } from "./signs/Marker.ts"
import { type Rule, rules } from "./signs/TokenRules.ts"

/** A pair of characters as one number: the one at a place and the one before it. */
const pairOf = (before: number, unit: number): number => (before << 7) | unit

/** The pair of characters of a hint that is rarest in ordinary words. */
const guideOf = (hint: string): number => {
  const at = Math.max(hint.search(/[^a-z][^a-z]/), hint.search(/[^a-z]./s), 0)
  return pairOf(hint.charCodeAt(at), hint.charCodeAt(at + 1))
}

/**
 * The pairs that show that a hint may be at a place; a hint of one character is shown by every pair that ends in it.
 */
const guidesOf = (hint: string): ReadonlyArray<number> =>
  hint.length > 1
    ? [guideOf(hint)]
    : Array.from({ length: 128 }, (_, before) => pairOf(before, hint.charCodeAt(0)))

/** The rules with their order, by the pairs that show their hints. */
const guided = new Map<number, Array<readonly [order: number, hint: string]>>()
for (const [order, { hints }] of rules.entries())
  for (const hint of hints)
    for (const pair of guidesOf(hint)) guided.set(pair, [...(guided.get(pair) ?? []), [order, hint]])

/** The length of the shortest token whose hint a pair shows; 0 for pairs that show none. */
const leastOf = new Uint8Array(1 << 14)
for (const [pair, hinted] of guided)
  leastOf[pair] = Math.min(...hinted.map(([order]) => rules[order]?.least ?? Infinity))

/** The rules that a run with these pairs may hold a token of, in their order. */
const candidatesIn = (found: string, pairs: ReadonlyArray<number>): ReadonlyArray<Rule> => {
  const orders: Array<number> = []
  for (const pair of pairs)
    for (const [order, hint] of guided.get(pair) ?? [])
      if (
        !orders.includes(order) &&
        found.length >= (rules[order]?.least ?? Infinity) &&
        found.includes(hint)
      )
        orders.push(order)
  return orders.sort((one, other) => one - other).flatMap((order) => rules[order] ?? [])
}

const replaceWith = (text: string, { accept, pattern }: Rule): string =>
  accept === undefined
    ? text.replace(pattern, marker)
    : text.replace(pattern, (match) => (accept(match) ? marker : match))

/**
 * A run that may be or hold a token: twelve or more characters of tokens in a row. An escape before a token is part of
 * the run, as the rules look back at it.
 */
const members = membersOf(/[\w./:+%|~$=@\\-]/)
const shortest = 12

/** Letters only, not too many and not all in capitals, are a word or the path of a file. */
const isLongWord = (found: string): boolean => found.length < 20 && !/\d|[A-Z]{2}/.test(found)

/** A run of a text without its tokens. */
const withoutTokens = (text: string, start: number, end: number): string => {
  let before = 0
  let pairs: Array<number> | undefined
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index)
    const pair = pairOf(before, unit)
    const least = leastOf[pair] ?? 0
    if (least !== 0 && least <= end - start) {
      if (pairs === undefined) pairs = [pair]
      else if (!pairs.includes(pair)) pairs.push(pair)
    }
    before = unit
  }
  const found = text.slice(start, end)
  return pairs === undefined || isLongWord(found)
    ? found
    : candidatesIn(found, pairs).reduce(replaceWith, found)
}

/** The patterns exceed the stack where a run has millions of characters. */
const longest = 1 << 20

/** Whether a run of any length holds a token, by pieces that overlap. */
const holdsToken = (run: string): boolean => {
  const size = longest >> 4
  for (let at = 0; at < run.length; at += size / 2) {
    const piece = run.slice(at, at + size)
    if (withoutTokens(piece, 0, piece.length) !== piece) return true
  }
  return false
}

/**
 * Takes out tokens that are recognized by their shape. In a run that is long enough one pass looks at each pair of
 * characters: only one that may hold the hint of some rule is matched by the rules. A run of more than a million
 * characters that holds a token goes as a whole.
 */
export const redactTokens = (text: string): string => {
  const parts: Array<string> = []
  let kept = 0
  let end = 0
  for (;;) {
    const start = findRun(text, members, shortest, end)
    if (start < 0) break
    end = endOfRun(text, members, start)
    const run = text.slice(start, end)
    const left = run.length <= longest ? withoutTokens(text, start, end) : holdsToken(run) ? marker : run
    if (left === run) continue
    parts.push(text.slice(kept, start), left)
    kept = end
  }
  return kept === 0 ? text : parts.join("") + text.slice(kept)
}
