/** Which of the characters of ASCII are members of a run. */
export const membersOf = (characters: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, unit) => (characters.test(String.fromCharCode(unit)) ? 1 : 0))

/**
 * Whether somewhere so many members stand one after another: one look at each character, before any pattern is tried.
 * Most texts have no run as long as a secret's.
 */
export const hasRun = (text: string, members: Uint8Array, length: number): boolean => {
  let run = 0
  for (let index = 0; index < text.length; index++) {
    run = members[text.charCodeAt(index)] === 1 ? run + 1 : 0
    if (run === length) return true
  }
  return false
}
