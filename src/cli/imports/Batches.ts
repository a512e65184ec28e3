import { Either } from "effect"
import { linesOf, sourceIds } from "../../board/imports/ImportBatch.ts"
import { type Members, membersOf, wordOf } from "../../board/imports/Members.ts"

/** What one request takes at the most: far below the server's limits, so that a person sees it go on. */
const lineLimit = 200
const byteLimit = 900_000

/** The lines of one request, with the numbers that they have in their file. */
export interface Batch {
  readonly lines: ReadonlyArray<number>
  readonly body: string
}

/** A file in requests. */
export interface Batches {
  readonly batches: ReadonlyArray<Batch>
  /** How many lines the file has that are not blank. */
  readonly lineCount: number
  /** Lines that fit into no request. */
  readonly tooLong: ReadonlyArray<number>
}

/**
 * A line as it is sent. The server tells lines of one id apart by counting them, in one request; a file comes in
 * several, so a line whose id the file has said before gets its source id here.
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

/** Cuts the text of a file into requests. */
export const batchesOf = (text: string): Batches => {
  const sourceIdOf = sourceIds()
  const all = linesOf(text.replace(/^\uFEFF/, ""))
  const batches: Array<{ lines: Array<number>; parts: Array<string>; bytes: number }> = []
  const tooLong: Array<number> = []
  for (const { json, line } of all) {
    const part = numbered(json, sourceIdOf)
    const bytes = Buffer.byteLength(part) + 1
    const last = batches.at(-1)
    if (bytes > byteLimit) tooLong.push(line)
    else if (last === undefined || last.lines.length === lineLimit || last.bytes + bytes > byteLimit) {
      batches.push({ lines: [line], parts: [part], bytes })
    } else {
      last.lines.push(line)
      last.parts.push(part)
      last.bytes += bytes
    }
  }
  return {
    batches: batches.map(({ lines, parts }) => ({ lines, body: parts.join("\n") })),
    lineCount: all.length,
    tooLong
  }
}
