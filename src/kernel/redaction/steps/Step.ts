import { wordSearch } from "./WordSearch.ts"

/** One of the ways in which secrets are told. */
export interface Step {
  /**
   * Words in small letters: where the step changes a text, that holds one of them, in letters of any size. Without them
   * the step looks at every text.
   */
  readonly signs?: ReadonlyArray<string>
  readonly redact: (text: string) => string
}

/** Takes the steps in their order, and passes over those that find none of their signs in the text, which are most. */
export const inOrder = (steps: ReadonlyArray<Step>): ((text: string) => string) => {
  const signsIn = wordSearch(steps.map(({ signs = [] }) => signs))
  return (text) => {
    let left = text
    let found = signsIn(text)
    for (const [place, { redact, signs }] of steps.entries()) {
      if (signs !== undefined && (found & (1 << place)) === 0) continue
      const after = redact(left)
      if (after === left) continue
      left = after
      found = signsIn(after)
    }
    return left
  }
}
