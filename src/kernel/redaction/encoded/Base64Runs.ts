import { endOfRun, findRun, membersOf } from "../Runs.ts"

/*
 * What looks encoded is found by the character: a megabyte may be one run, and a pattern that takes in a run of millions
 * exceeds the stack.
 */

/** Where something stands in a text. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** The fewest characters that are looked at: eighteen bytes of base64, twelve of hex. */
export const shortest = 24

const base64Members = membersOf(/[A-Za-z0-9+/_-]/)

/** The next line of base64 that goes over several. */
const nextLine = /\r?\n[ \t]{0,8}[A-Za-z0-9+/_-]{4,100}/y

/** Where the characters end that fill up base64. */
const endOfFilling = (text: string, at: number): number =>
  text[at] !== "=" ? at : text[at + 1] === "=" ? at + 2 : at + 1

/** Where base64 in several lines ends. */
const endOfLines = (text: string, start: number): number => {
  let end = endOfRun(text, base64Members, start)
  for (nextLine.lastIndex = end; nextLine.test(text); nextLine.lastIndex = end) end = nextLine.lastIndex
  return endOfFilling(text, end)
}

/** The lines of base64 that stands in this range of a text. */
const linesIn = (text: string, { end, start }: Range): ReadonlyArray<Range> => {
  const whole = text.slice(start, end)
  if (!whole.includes("\n")) return []
  const lines: Array<Range> = []
  for (let at = findRun(whole, base64Members, shortest); at >= 0; ) {
    const last = endOfFilling(whole, endOfRun(whole, base64Members, at))
    lines.push({ start: start + at, end: start + last })
    at = findRun(whole, base64Members, shortest, last)
  }
  return lines
}

/** Every run of base64; of one in several lines the whole of it, and then each line by itself. */
export const base64In = (text: string): ReadonlyArray<Range> => {
  const runs: Array<Range> = []
  for (let start = findRun(text, base64Members, shortest); start >= 0; ) {
    const run = { start, end: endOfLines(text, start) }
    runs.push(run)
    for (const line of linesIn(text, run)) runs.push(line)
    // What is left of a line that is too long to go on in is no run of its own.
    const after = text[run.end - 1] === "=" ? run.end : endOfRun(text, base64Members, run.end)
    start = findRun(text, base64Members, shortest, after)
  }
  return runs
}
