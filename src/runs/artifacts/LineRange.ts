/** Which lines: so many from a line on, which count from 1. */
export interface Lines {
  readonly startLine: number
  readonly lineCount: number
}

const lineFeed = 0x0a

/** Lines that were found; `truncated` when there are more bytes in them than an answer holds. */
export interface FoundLines {
  readonly lines: ReadonlyArray<string>
  readonly truncated: boolean
}

/**
 * Looks for lines in bytes that come piece by piece. `take` tells whether it has seen enough: no more is read than it
 * takes, and no more is held than `limitBytes`, however long a line is. A line feed at the very end begins no line.
 */
export const lookForLines = ({ lineCount, startLine }: Lines, limitBytes: number) => {
  const lines: Array<string> = []
  let parts: Array<Uint8Array> = []
  let line = 1
  let held = 0
  let begun = false
  let truncated = false

  const keep = (part: Uint8Array): void => {
    if (line < startLine || part.length === 0) return
    const room = part.subarray(0, limitBytes - held)
    if (room.length < part.length) truncated = true
    held += room.length
    parts.push(room)
  }

  const end = (): void => {
    if (line >= startLine) lines.push(Buffer.concat(parts).toString("utf8"))
    parts = []
    line += 1
    begun = false
  }

  const isEnough = () => truncated || lines.length >= lineCount

  return {
    take: (piece: Uint8Array): boolean => {
      for (let at = 0; at < piece.length && !isEnough(); ) {
        const found = piece.indexOf(lineFeed, at)
        const last = found < 0 ? piece.length : found
        keep(piece.subarray(at, last))
        begun = true
        if (found >= 0 && !truncated) end()
        at = last + 1
      }
      return isEnough()
    },
    found: (): FoundLines => {
      if (begun && lines.length < lineCount) end()
      return { lines, truncated }
    }
  }
}
