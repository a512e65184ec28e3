/** Which of the characters of ASCII are members of a run. */
export const membersOf = (characters: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, unit) => (characters.test(String.fromCharCode(unit)) ? 1 : 0))

/**
 * Whether somewhere so many members stand one after another: before any pattern is tried, for most texts have no run as
 * long as a secret's. Looks from the end of where a run may be, and leaps over all that the last stranger in it rules
 * out, so that most characters are never looked at.
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
