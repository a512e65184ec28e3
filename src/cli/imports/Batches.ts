import { Either } from "effect"
import { type FailedLine, type linesOf, sourceIds } from "../../board/imports/ImportBatch.ts"
import { type Members, membersOf, wordOf } from "../../board/imports/Members.ts"
import { bytesByLine, utf8Of } from "../../kernel/Utf8.ts"

/** The most that one request takes: far below the server's limits, so that a person sees progress. */
const lineLimit = 200
const byteLimit = 900_000

/** The lines of one request, with the numbers that they have in their file. */
export interface Batch {
  readonly lines: ReadonlyArray<number>
  readonly body: string
}

/** A file, cut into requests. */
export interface Batches {
  readonly batches: ReadonlyArray<Batch>
  /** How many lines of the file are not blank. */
  readonly lineCount: number
  /** Lines that can't be sent, and why. */
  readonly failed: ReadonlyArray<FailedLine>
}

/**
 * A line as it is sent. The server numbers lines of the same id within a request; a file takes several requests, so a
 * line whose id came before in the file gets its numbered source id here.
 */
const numbered = (json: string, sourceIdOf: (members: Members, json: string) => string): string =>
  Either.match(membersOf(json), {
    onLeft: () => json,
    onRight: (members) => {
      const sourceId = sourceIdOf(members, json)
      const id = wordOf(members["id"])
      const isRepeated = wordOf(members["sourceId"]) === undefined && id !== undefined && id !== sourceId
      return isRepeated ? JSON.stringify({ ...members, sourceId }) : json
    }
  })

/** The lines of a file that are not blank, with a fault in place of a text that is not UTF-8. */
const readLines = (bytes: Uint8Array) => {
  const lines: Array<ReturnType<typeof linesOf>[number]> = []
  const failed: Array<FailedLine> = []
  let line = 0
  for (const part of bytesByLine(bytes)) {
    line += 1
    const json = utf8Of(part)?.replace(line === 1 ? /^\uFEFF/ : /(?!)/, "")
    if (json === undefined) failed.push({ line, path: "", message: "Expected UTF-8: save the file in it" })
    else if (json.trim() !== "") lines.push({ line, json })
  }
  return { lines, failed }
}

/** Cuts a file into requests. */
export const batchesOf = (bytes: Uint8Array): Batches => {
  const sourceIdOf = sourceIds()
  const { failed, lines: all } = readLines(bytes)
  const lineCount = all.length + failed.length
  const batches: Array<{ lines: Array<number>; parts: Array<string>; bytes: number }> = []
  for (const { json, line } of all) {
    const part = numbered(json, sourceIdOf)
    const size = Buffer.byteLength(part) + 1
    const last = batches.at(-1)
    if (size > byteLimit)
      failed.push({ line, path: "", message: "Expected a line that fits into one request" })
    else if (last === undefined || last.lines.length === lineLimit || last.bytes + size > byteLimit) {
      batches.push({ lines: [line], parts: [part], bytes: size })
    } else {
      last.lines.push(line)
      last.parts.push(part)
      last.bytes += size
    }
  }
  return {
    batches: batches.map(({ lines, parts }) => ({ lines, body: parts.join("\n") })),
    lineCount,
    failed
  }
}
