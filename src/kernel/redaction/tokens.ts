import { marker } from "./marker.ts"
import { type Rule, rules } from "./rules.ts"
import { hasRun, membersOf } from "./runs.ts"

/** Two characters of a hint, as a number: those that ordinary words have least, if it has such. */
const pairOf = (hint: string): number => {
  const at = Math.max(hint.search(/[^a-z][^a-z]/), hint.search(/[^a-z]./s), 0)
  return (hint.charCodeAt(at) << 7) | hint.charCodeAt(at + 1)
}

/** The rules by what their hints begin with; a hint of one character can be no guide. */
const guided = new Map<number, Array<readonly [order: number, hint: string]>>()
const unguided: ReadonlyArray<number> = rules.flatMap(({ hints }, order) =>
  hints.some((hint) => hint.length < 2) ? [order] : []
)
for (const [order, { hints }] of rules.entries())
  for (const hint of hints) {
    if (hint.length < 2) continue
    const pair = pairOf(hint)
    guided.set(pair, [...(guided.get(pair) ?? []), [order, hint]])
  }
const isGuide = Uint8Array.from({ length: 1 << 14 }, (_, pair) => (guided.has(pair) ? 1 : 0))

/** The rules that a text may hold a token of, in their order: one look at each pair of its characters. */
const candidatesIn = (text: string): ReadonlyArray<Rule> => {
  const orders = new Set(unguided)
  const tried = new Set<number>()
  let before = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const pair = (before << 7) | unit
    if (isGuide[pair] === 1 && !tried.has(pair)) {
      tried.add(pair)
      for (const [order, hint] of guided.get(pair) ?? []) if (text.includes(hint)) orders.add(order)
    }
    before = unit > 127 ? 0 : unit
  }
  return [...orders].sort((one, other) => one - other).flatMap((order) => rules[order] ?? [])
}

const replaceWith = (text: string, { accept, pattern }: Rule): string =>
  accept === undefined
    ? text.replace(pattern, marker)
    : text.replace(pattern, (match) => (accept(match) ? marker : match))

/**
 * What may be a token, or hold one: the characters of tokens, twelve of them or more one after another. An escape
 * before a token belongs to the run, as the rules look back on it.
 */
const run = /[\w./:+%|~$=@\\-]{12,}/g
const members = membersOf(/[\w./:+%|~$=@\\-]/)

/** Letters alone, not too many and not all of them large, are a word or the path of a file. */
const isLongWord = (found: string): boolean => found.length < 20 && !/\d|[A-Z]{2}/.test(found)

/** Tokens that are secrets by their shape. */
export const redactTokens = (text: string): string =>
  hasRun(text, members, 12)
    ? text.replace(run, (found) =>
        isLongWord(found) ? found : candidatesIn(found).reduce(replaceWith, found)
      )
    : text
