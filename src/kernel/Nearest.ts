/** How many letters have to be changed, added or taken away to make one word of another. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [above, letter] of [...one].entries()) {
    const next = [above + 1]
    for (const [index, wanted] of [...other].entries()) {
      const kept = (row[index] ?? 0) + (letter === wanted ? 0 : 1)
      next.push(Math.min(kept, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

/** The longest word that is compared with others. */
const longest = 100

/** Which of the candidates somebody may have meant: the one that is the fewest letters away, `typo` of them at the most. */
export const nearest = (word: string, candidates: ReadonlyArray<string>, typo: number): string | undefined =>
  candidates
    .map((candidate) => ({ candidate, apart: distance(word.slice(0, longest), candidate) }))
    .filter(({ apart }) => apart <= typo)
    .sort((one, other) => one.apart - other.apart)[0]?.candidate
