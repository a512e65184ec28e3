/**
 * The form of SQLite's write-ahead log (sqlite.org/fileformat2.html, "The Write-Ahead Log"): a header of 32 bytes, then
 * frames of a header of 24 bytes and a page each. A running checksum goes through all of it. SQLite reads up to the first
 * frame that does not fit, and forgets the rest: right after a crash in the middle of a commit, wrong when a bad disk has
 * changed what was committed.
 */
const headerBytes = 32
const frameHeaderBytes = 24

/** The last bit says in which order the checksum takes the bytes of a word. */
const magic = 0x377f0682

type Sum = readonly [number, number]

const sumOf = (bytes: DataView, from: number, to: number, bigEndian: boolean, [a, b]: Sum): Sum => {
  let [first, second] = [a, b]
  for (let at = from; at < to; at += 8) {
    first = (first + bytes.getUint32(at, !bigEndian) + second) >>> 0
    second = (second + bytes.getUint32(at + 4, !bigEndian) + first) >>> 0
  }
  return [first, second]
}

const matches = (bytes: DataView, at: number, [first, second]: Sum): boolean =>
  bytes.getUint32(at) === first && bytes.getUint32(at + 4) === second

/**
 * Whether a log holds what was committed into it. A tail that was never finished is sound: a commit is on the disk before
 * the next one begins, so a crash spoils one at the most. Behind a frame that does not fit there may be the end of one
 * commit of this log, therefore, and not of two.
 */
export const isSound = (content: Uint8Array): boolean => {
  if (content.length < headerBytes) return true
  const bytes = new DataView(content.buffer, content.byteOffset, content.length)
  // A file that was made longer and not written yet.
  if (content.subarray(0, headerBytes).every((byte) => byte === 0)) return true
  const bigEndian = bytes.getUint32(0) === magic + 1
  if (!bigEndian && bytes.getUint32(0) !== magic) return false
  let sum = sumOf(bytes, 0, 24, bigEndian, [0, 0])
  if (!matches(bytes, 24, sum)) return false
  const salts = [bytes.getUint32(16), bytes.getUint32(20)]
  const frameBytes = frameHeaderBytes + bytes.getUint32(8)
  let isBroken = false
  let commitsBehind = 0
  for (let at = headerBytes; at + frameBytes <= content.length; at += frameBytes) {
    const isOurs = bytes.getUint32(at + 8) === salts[0] && bytes.getUint32(at + 12) === salts[1]
    if (!isBroken && isOurs) {
      const next = sumOf(
        bytes,
        at + frameHeaderBytes,
        at + frameBytes,
        bigEndian,
        sumOf(bytes, at, at + 8, bigEndian, sum)
      )
      if (matches(bytes, at + 16, next)) {
        sum = next
        continue
      }
    }
    isBroken = true
    if (isOurs && bytes.getUint32(at + 4) !== 0) commitsBehind++
  }
  return commitsBehind < 2
}
