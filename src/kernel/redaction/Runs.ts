/** A table of the ASCII characters that a run consists of. */
export const membersOf = (characters: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, unit) => (characters.test(String.fromCharCode(unit)) ? 1 : 0))

/** Whether a member stands at a place. */
export const isMember = (text: string, members: Uint8Array, index: number): boolean => {
  const unit = text.charCodeAt(index)
  return unit < 128 && members[unit] === 1
}

/**
 * Where the first run of at least `length` members begins, from a place on that is not within one; -1 when there is none.
 * It is asked before any pattern is tried, as most texts have no run as long as a secret. It looks at the last place of a
 * possible run first, and skips all that a non-member there rules out, so that most characters are never read.
 */
export const findRun = (text: string, members: Uint8Array, length: number, from = 0): number => {
  let start = from
  let index = from + length - 1
  while (index < text.length) {
    if (isMember(text, members, index)) {
      if (index === start) return start
      index--
    } else {
      start = index + 1
      index += length
    }
  }
  return -1
}

/** Where the members that stand at a place end. No pattern may ask for that: it remembers each of a million characters. */
export const endOfRun = (text: string, members: Uint8Array, start: number): number => {
  let end = start
  while (end < text.length && isMember(text, members, end)) end++
  return end
}

/** Whether a text has a run of at least `length` members. */
export const hasRun = (text: string, members: Uint8Array, length: number): boolean =>
  findRun(text, members, length) >= 0
