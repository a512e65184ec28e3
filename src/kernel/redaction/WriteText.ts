/**
 * A text of at most `length` UTF-16 units that `write` fills in; `write` returns how many it wrote. It is for texts
 * that change at a million places: a pattern with a callback costs ten times as much.
 */
export const written = (length: number, write: (units: Uint16Array) => number): string => {
  const units = new Uint16Array(length)
  const end = write(units)
  const parts: Array<string> = []
  for (let from = 0; from < end; from += 4_096)
    parts.push(
      Reflect.apply(String.fromCharCode, undefined, units.subarray(from, Math.min(from + 4_096, end)))
    )
  return parts.join("")
}
