/**
 * A text of at most so many characters, written one by one; how many they are is known at the end. For what changes at a
 * million places: a pattern with a callback for each of them costs ten times as much.
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
