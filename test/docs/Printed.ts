/*
 * What a page says that a command prints, and what it does print. Text is compared letter by letter, but for what is
 * another one each time. `…` stands for any text within a line, and on a line of its own for any lines.
 */

/** What is another one each time. */
const varying: ReadonlyArray<RegExp> = [
  // Times and dates.
  /\b20\d\d-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d(?:[.-]\d{3})?Z/,
  /\b20\d\d-\d\d-\d\d\b/,
  // Digests and commits.
  /\bsha256:[0-9a-f]{64}\b/,
  /\b[0-9a-f]{40}\b/,
  // Codes for a person.
  /\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\b/,
  // Durations and sizes.
  /(?<=Ms":)\d+/,
  /\b\d+ ms\b/,
  /\b\d+ ?s\b/,
  /\b\d+\.\d MB\b/,
  // The number of a process.
  /(?<=process )\d+/
]

/** The letters of an id of the board, behind its kind: the same id stands for the same thing all over a page. */
const letters = "[0-9a-hjkmnp-tv-z]{16}"

const special = new RegExp(
  ["(?<lines>(?<=^|\\n)…(?=\\n|$))", "(?<text>…)", `\\b(?<id>(?<prefix>[a-z]+_)${letters})\\b`]
    .concat(varying.map(({ source }, index) => `(?<kind${index}>${source})`))
    .join("|"),
  "g"
)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** The expression for what a special part of a page stands for. */
const patternOf = (groups: Readonly<Record<string, string | undefined>>): string => {
  if (groups["lines"] !== undefined) return "[\\s\\S]*?"
  if (groups["text"] !== undefined) return ".*?"
  if (groups["id"] !== undefined) return `(${groups["prefix"]}${letters})`
  return varying.find((_, index) => groups[`kind${index}`] !== undefined)?.source ?? ""
}

/** The ids of a page, with those that they stand for in this run. */
export type Names = Map<string, string>

/** Compares; what it learns of the ids it keeps. Gives what is wrong. */
export const difference = (expected: string, actual: string, names: Names): string | undefined => {
  const ids: Array<string> = []
  let pattern = ""
  let end = 0
  for (const match of expected.matchAll(special)) {
    const groups = match.groups ?? {}
    pattern += escaped(expected.slice(end, match.index)) + patternOf(groups)
    if (groups["id"] !== undefined) ids.push(groups["id"])
    end = match.index + match[0].length
  }
  const seen = new RegExp(`^${pattern}${escaped(expected.slice(end))}$`).exec(actual)
  if (seen === null) return "it prints something else"
  for (const [index, name] of ids.entries()) {
    const now = seen[index + 1] ?? ""
    const before = names.get(name)
    if (before !== undefined && before !== now) return `${name} stands for ${before} and for ${now}`
    names.set(name, now)
  }
  return undefined
}
