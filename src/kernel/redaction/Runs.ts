/** A table of the ASCII characters that a run consists of. */
export const membersOf = (characters: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, unit) => (characters.test(String.fromCharCode(unit)) ? 1 : 0))

/**
 * Where the next run of at least `length` members begins, from a place on that does not lie within one; -1 when there is
 * none. It looks at the last place of a possible run first, and skips all that a non-member there rules out, so that most
 * characters are never read.
 */
export const runFrom = (text: string, members: Uint8Array, length: number, from: number): number => {
  let start = from
  let index = from + length - 1
  while (index < text.length) {
    const unit = text.charCodeAt(index)
    if (unit < 128 && members[unit] === 1) {
      if (index === start) return start
      index--
    } else {
      start = index + 1
      index += length
    }
  }
  return -1
}

/**
 * Whether a text has a run of at least `length` members. It is asked before any pattern is tried, as most texts have no
 * run as long as a secret.
 */
export const hasRun = (text: string, members: Uint8Array, length: number): boolean =>
  runFrom(text, members, length, 0) >= 0
