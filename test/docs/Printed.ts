/*
 * What a page says that a command prints, and what it does print. Text is compared letter by letter, but for what is
 * another one each time. `…` stands for any text within a line, and on a line of its own for any lines.
 */

/** A key, or an id of the board: the same name stands for the same thing all over a page. */
const id = /\bmuster_[a-z]+_[A-Za-z0-9_-]{43}|\b[a-z]+_[0-9a-hjkmnp-tv-z]{16}\b/

/** What is another one each time, by kind. */
const kinds: ReadonlyArray<RegExp> = [
  // Times and dates.
  /\b20\d\d-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d(?:[.-]\d{3})?Z/,
  /\b20\d\d-\d\d-\d\d\b/,
  // Digests and commits, whole and short.
  /\bsha256:[0-9a-f]{64}\b/,
  /\b[0-9a-f]{40}\b/,
  // Codes for a person.
  /\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\b/,
  // Durations and sizes.
  /(?<=Ms":)\d+/,
  /\b\d+ ms\b/,
  /\b\d+s\b/,
  /\b\d+\.\d MB\b/,
  // The number of a process.
  /(?<=process )\d+/
]

const special = new RegExp(["…", id.source, ...kinds.map(({ source }) => source)].join("|"), "gm")

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** The expression for one special part of a page's text. */
const patternOf = (part: string, alone: boolean): string => {
  if (part === "…") return alone ? "[\\s\\S]*?" : ".*?"
  if (id.test(part)) return `((?:${id.source}))`
  const kind = kinds.find((one) => new RegExp(`^(?:${one.source.replace(/^\(\?<=[^)]*\)/, "")})$`).test(part))
  return kind?.source ?? escaped(part)
}

/** The names that ids have on a page, with the ids that they stand for in this run. */
export type Names = Map<string, string>

/** Compares; what it learns of the names of ids it keeps. Gives what is wrong. */
export const difference = (expected: string, actual: string, names: Names): string | undefined => {
  const found: Array<string> = []
  let pattern = ""
  let end = 0
  for (const match of expected.matchAll(special)) {
    const [part] = match
    const alone =
      /(?:^|\n)$/.test(expected.slice(0, match.index)) && /^(?:\n|$)/.test(expected.slice(match.index + 1))
    pattern += escaped(expected.slice(end, match.index)) + patternOf(part, alone)
    if (part !== "…" && id.test(part)) found.push(part)
    end = match.index + part.length
  }
  const seen = new RegExp(`^${pattern}${escaped(expected.slice(end))}$`).exec(actual)
  if (seen === null) return "it prints something else"
  for (const [index, name] of found.entries()) {
    const now = seen[index + 1] ?? ""
    const before = names.get(name)
    if (before !== undefined && before !== now) return `${name} stands for ${before} and for ${now}`
    names.set(name, now)
  }
  return undefined
}
