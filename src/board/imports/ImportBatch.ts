import { Either } from "effect"
import { sha256 } from "../../kernel/Digest.ts"
import type { Issue } from "../../kernel/Failures.ts"
import { redactText } from "../../kernel/Redaction.ts"
import { isClean } from "../../kernel/Text.ts"
import { type ImportLine, ignoredOf, readLine } from "./ImportLine.ts"
import { fault, type Members, membersOf, wordOf } from "./Members.ts"

/** The most lines that one request may bring. */
export const lineLimit = 2_000

/** The longest source id, in characters. */
const sourceLimit = 500

/** A line with its number in the request, from 1, and what makes it the same line in a later import. */
export interface NumberedLine extends ImportLine {
  readonly line: number
  readonly sourceId: string
}

/** A line that can't be imported, and its first fault. */
export interface FailedLine extends Issue {
  readonly line: number
}

/** The lines of a request. Each of them either can be imported or has failed. */
export interface ImportBatch {
  readonly lines: ReadonlyArray<NumberedLine>
  readonly failed: ReadonlyArray<FailedLine>
  /** What the lines say and nobody reads, by name. */
  readonly ignoredFields: ReadonlyArray<string>
}

/** The lines of a text that are not blank, with their numbers. */
export const linesOf = (text: string): ReadonlyArray<{ readonly line: number; readonly json: string }> =>
  text
    .split("\n")
    .map((json, index) => ({ line: index + 1, json }))
    .filter(({ json }) => json.trim() !== "")

/**
 * Gives lines their source ids: the one that a line names; else its id, with a number from the second time on that
 * the file says it; else a digest of its text. Lines that fail count too, so that a line keeps its source id when
 * the one before it is mended.
 */
export const sourceIds = (): ((members: Members, json: string) => string) => {
  const counts = new Map<string, number>()
  return (members, json) => {
    const named = wordOf(members["sourceId"])
    if (named !== undefined) return named
    const id = wordOf(members["id"])
    if (id === undefined) return `sha256:${sha256(json.trim())}`
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count === 1 ? id : `${id}#${count}`
  }
}

/** Two lines that differ must not come to share a source id: a secret in one is refused rather than redacted. */
const checkedSource = (sourceId: string, members: Members): Either.Either<string, Issue> => {
  const name = wordOf(members["sourceId"]) === undefined ? "id" : "sourceId"
  if (sourceId.length > sourceLimit || !isClean(sourceId))
    return fault(name, `Expected at most ${sourceLimit} characters of well-formed Unicode`)
  return redactText(sourceId) === sourceId ? Either.right(sourceId) : fault(name, "Expected no secret in it")
}

/** Reads the body of a request. */
export const readBatch = (text: string): ImportBatch => {
  const sourceIdOf = sourceIds()
  const lines: Array<NumberedLine> = []
  const failed: Array<FailedLine> = []
  const ignored = new Set<string>()
  for (const { json, line } of linesOf(text)) {
    const read = Either.gen(function* () {
      const members = yield* membersOf(json)
      const sourceId = yield* checkedSource(sourceIdOf(members, json), members)
      const understood = yield* readLine(members)
      for (const name of ignoredOf(members)) ignored.add(name.slice(0, 100))
      return { line, sourceId, ...understood }
    })
    Either.match(read, {
      onLeft: (issue) => failed.push({ line, ...issue }),
      onRight: (numbered) => lines.push(numbered)
    })
  }
  return { lines, failed, ignoredFields: [...ignored].sort() }
}
