/** Strict, and keeps a byte order mark: it is for the reader of the text to see. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text in these bytes; undefined when they are not UTF-8. */
export const utf8Of = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const lineFeed = 0x0a

/** Cuts bytes into lines. In UTF-8 the byte of a line feed is never part of another character. */
export const bytesByLine = function* (bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(lineFeed, start)
    const end = found < 0 ? bytes.length : found
    yield bytes.subarray(start, end)
    start = end + 1
  }
}

/** The number of the first line that is not UTF-8, counted from 1; undefined when all are. */
export const lineThatIsNoUtf8 = (bytes: Uint8Array): number | undefined => {
  let line = 0
  for (const part of bytesByLine(bytes)) {
    line += 1
    if (utf8Of(part) === undefined) return line
  }
  return undefined
}
