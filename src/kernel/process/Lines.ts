import { Stream } from "effect"

/**
 * A line of a text that comes in pieces, without its end. A line that is longer than its limit is handed on in parts:
 * `goesOn` says that the next one belongs to it.
 */
export interface Line {
  readonly text: string
  readonly goesOn: boolean
}

/** The most UTF-16 units that are kept of a line, by how it begins. */
export type LineLimit = (beginning: string) => number

/** How much of the beginning of a line decides about its limit. */
const beginning = 64

/**
 * Cuts bytes into lines as they come. Bytes that are no UTF-8 become U+FFFD, a character that lies across two pieces
 * stays whole, and never more than the limit of a line is kept in memory. A carriage return before the line feed goes.
 */
export const makeLines = (limitOf: LineLimit) => {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  let kept: Array<string> = []
  let length = 0
  let head = ""
  let limit: number | undefined
  /** Whether what comes now belongs to a line that was handed on in parts. */
  let parted = false

  const clear = (): void => {
    kept = []
    length = 0
    head = ""
    limit = undefined
  }

  /** The limit of the line that is kept, and is settled once its beginning is seen. */
  const limitNow = (next: string): number => {
    if (limit !== undefined) return limit
    if (head.length < beginning) head += next.slice(0, beginning - head.length)
    const found = Math.max(2, limitOf(parted ? "" : head))
    if (parted || head.trim() !== "" || head.length === beginning) limit = found
    return found
  }

  const keep = (text: string, lines: Array<Line>): void => {
    for (let rest = text; rest !== ""; ) {
      const room = limitNow(rest) - length
      if (rest.length < room) {
        kept.push(rest)
        length += rest.length
        return
      }
      // A pair of surrogates stays together.
      const end = Math.max(/[\ud800-\udbff]/.test(rest[room - 1] ?? "") ? room - 1 : room, 0)
      lines.push({ text: kept.join("") + rest.slice(0, end), goesOn: true })
      rest = rest.slice(end)
      clear()
      parted = true
    }
  }

  const finish = (lines: Array<Line>): void => {
    const text = kept.join("")
    lines.push({ text: text.endsWith("\r") ? text.slice(0, -1) : text, goesOn: false })
    clear()
    parted = false
  }

  const cut = (text: string): Array<Line> => {
    const lines: Array<Line> = []
    let start = 0
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      keep(text.slice(start, end), lines)
      finish(lines)
      start = end + 1
    }
    keep(text.slice(start), lines)
    return lines
  }

  return {
    push: (bytes: Uint8Array): ReadonlyArray<Line> => cut(decoder.decode(bytes, { stream: true })),
    /** What is left when nothing more comes. */
    end: (): ReadonlyArray<Line> => {
      const lines = cut(decoder.decode())
      if (length > 0 || parted) finish(lines)
      return lines
    }
  }
}

/** The lines of an output. All that came in one piece come together. */
export const linesOf =
  (limit: LineLimit) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<ReadonlyArray<Line>, E, R> =>
    Stream.suspend(() => {
      const lines = makeLines(limit)
      return Stream.concat(
        Stream.map(bytes, lines.push),
        Stream.suspend(() => Stream.succeed(lines.end()))
      ).pipe(Stream.filter((found) => found.length > 0))
    })
