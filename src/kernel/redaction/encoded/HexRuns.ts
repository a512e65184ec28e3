import { endOfRun, findRun, isMember, membersOf } from "../Runs.ts"
import { written } from "../WriteText.ts"
import { type Range, shortest } from "./Base64Runs.ts"

const hexDigits = membersOf(/[0-9A-Fa-f]/)
const hexMembers = membersOf(/[0-9A-Fa-f :]/)
const wordMembers = membersOf(/[0-9A-Za-z]/)

/** The digits of a hex dump, without what is between them. */
export const digitsOf = (dump: string): string =>
  written(dump.length, (units) => {
    let end = 0
    for (let index = /^0x/i.test(dump) ? 2 : 0; index < dump.length; index++) {
      const unit = dump.charCodeAt(index)
      if (unit !== 32 && unit !== 58) units[end++] = unit
    }
    return end
  })

const isPrefix = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 48 && (text.charCodeAt(at + 1) | 32) === 120

/** Where hex ends that begins at a place: pairs of digits, as they are or as a dump shows them; -1 when none does. */
const endOfHex = (text: string, start: number): number => {
  const first = isPrefix(text, start) ? start + 2 : start
  const end = endOfRun(text, hexDigits, first)
  if (end - first >= shortest && (end - first) % 2 === 0 && !isMember(text, wordMembers, end)) return end
  if (end - first !== 2) return -1
  let last = end
  let bytes = 1
  while (text[last] === " " || text[last] === ":") {
    const next = endOfRun(text, hexDigits, last + 1)
    if (next !== last + 3 || isMember(text, wordMembers, next)) break
    last = next
    bytes++
  }
  return bytes >= shortest / 2 ? last : -1
}

/** Every run of hex, and every dump. */
export const hexIn = (text: string): ReadonlyArray<Range> => {
  const runs: Array<Range> = []
  const next = (from: number) => findRun(text, hexMembers, shortest, from)
  for (let start = next(0); start >= 0; ) {
    const stop = endOfRun(text, hexMembers, start)
    let at = isPrefix(text, start - 2) ? start - 2 : start
    while (at < stop) {
      const endOfWord = endOfRun(text, wordMembers, at)
      const isBegin = endOfWord > at && !isMember(text, wordMembers, at - 1)
      const end = isBegin ? endOfHex(text, at) : -1
      if (end > 0) runs.push({ start: at, end })
      at = end > 0 ? end : Math.max(at + 1, endOfWord)
    }
    start = next(Math.max(stop, at))
  }
  return runs
}
