/** A table of the ASCII characters that a run consists of. */
export const membersOf = (characters: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, unit) => (characters.test(String.fromCharCode(unit)) ? 1 : 0))

/**
 * Whether a text has a run of at least `length` members. It is asked before any pattern is tried, as most texts have no
 * run as long as a secret. It looks at the last place of a possible run first, and skips all that a non-member there
 * rules out, so that most characters are never read.
 */
export const hasRun = (text: string, members: Uint8Array, length: number): boolean => {
  let start = 0
  let index = length - 1
  while (index < text.length) {
    const unit = text.charCodeAt(index)
    if (unit < 128 && members[unit] === 1) {
      if (index === start) return true
      index--
    } else {
      start = index + 1
      index += length
    }
  }
  return false
}
