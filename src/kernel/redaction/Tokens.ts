import { hasRun, membersOf } from "./Runs.ts"
import { marker } from "./signs/Marker.ts"
import { type Rule, rules } from "./TokenRules.ts"

/** What stands at a place: the character there and the one before it, as one number. */
const pairOf = (before: number, unit: number): number => (before << 7) | unit

/** Two characters of a hint: those that ordinary words have least, if it has such. */
const guideOf = (hint: string): number => {
  const at = Math.max(hint.search(/[^a-z][^a-z]/), hint.search(/[^a-z]./s), 0)
  return pairOf(hint.charCodeAt(at), hint.charCodeAt(at + 1))
}

/** The pairs that show that a hint may stand there; one character is shown by every pair that ends in it. */
const guidesOf = (hint: string): ReadonlyArray<number> =>
  hint.length > 1
    ? [guideOf(hint)]
    : Array.from({ length: 128 }, (_, before) => pairOf(before, hint.charCodeAt(0)))

/** The rules, with their place among them, by the pairs that their hints are told by. */
const guided = new Map<number, Array<readonly [order: number, hint: string]>>()
for (const [order, { hints }] of rules.entries())
  for (const hint of hints)
    for (const pair of guidesOf(hint)) guided.set(pair, [...(guided.get(pair) ?? []), [order, hint]])
const isGuide = Uint8Array.from({ length: 1 << 14 }, (_, pair) => (guided.has(pair) ? 1 : 0))

/** The rules that a run with these pairs may hold a token of, in their order. */
const candidatesIn = (found: string, pairs: ReadonlyArray<number>): ReadonlyArray<Rule> => {
  const orders: Array<number> = []
  for (const pair of pairs)
    for (const [order, hint] of guided.get(pair) ?? [])
      if (!orders.includes(order) && found.length >= (rules[order]?.least ?? 0) && found.includes(hint))
        orders.push(order)
  return orders.sort((one, other) => one - other).flatMap((order) => rules[order] ?? [])
}

const replaceWith = (text: string, { accept, pattern }: Rule): string =>
  accept === undefined
    ? text.replace(pattern, marker)
    : text.replace(pattern, (match) => (accept(match) ? marker : match))

/**
 * What may be a token, or hold one: the characters of tokens, twelve of them or more one after another. An escape
 * before a token belongs to the run, as the rules look back on it.
 */
const members = membersOf(/[\w./:+%|~$=@\\-]/)
const shortest = 12

/** Letters alone, not too many and not all of them large, are a word or the path of a file. */
const isLongWord = (found: string): boolean => found.length < 20 && !/\d|[A-Z]{2}/.test(found)

/**
 * Tokens that are secrets by their shape. One look at each character and the one before it: only a run of them where a
 * hint of some rule may stand is cut out and read by rules.
 */
export const redactTokens = (text: string): string => {
  if (!hasRun(text, members, shortest)) return text
  const parts: Array<string> = []
  let kept = 0
  let start = 0
  let before = 0
  let pairs: Array<number> = []
  for (let index = 0; index <= text.length; index++) {
    const unit = index < text.length ? text.charCodeAt(index) : 0
    if (unit < 128 && members[unit] === 1) {
      const pair = pairOf(before, unit)
      if (isGuide[pair] === 1 && !pairs.includes(pair)) pairs.push(pair)
      before = unit
      continue
    }
    if (pairs.length > 0) {
      const found = index - start >= shortest ? text.slice(start, index) : ""
      const left = isLongWord(found) ? found : candidatesIn(found, pairs).reduce(replaceWith, found)
      if (left !== found) {
        parts.push(text.slice(kept, start), left)
        kept = index
      }
      pairs = []
    }
    start = index + 1
    before = 0
  }
  return kept === 0 ? text : parts.join("") + text.slice(kept)
}
