/** A text that keeps what it begins with: a byte order mark is for its reader to see. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text that bytes are; undefined when they are none. */
export const utf8Of = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const lineFeed = 0x0a

/** Bytes by lines. A line feed is one byte in UTF-8 and part of no other character, so that they can be cut there. */
export const bytesByLine = function* (bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(lineFeed, start)
    const end = found < 0 ? bytes.length : found
    yield bytes.subarray(start, end)
    start = end + 1
  }
}

/** The number of the first line, from 1, that is no text; undefined when all are. */
export const lineThatIsNoUtf8 = (bytes: Uint8Array): number | undefined => {
  let line = 0
  for (const part of bytesByLine(bytes)) {
    line += 1
    if (utf8Of(part) === undefined) return line
  }
  return undefined
}
