/** The same texts on every run: a small generator with a fixed seed (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    of: (alphabet: string, length: number): string =>
      Array.from({ length }, () => alphabet[below(alphabet.length)]).join(""),
    pick: <A>(from: readonly [A, ...ReadonlyArray<A>]): A => from[below(from.length)] ?? from[0]
  }
}
export type Random = ReturnType<typeof randomOf>

export const digits = "0123456789"
export const hex = `${digits}abcdef`
export const lower = "abcdefghijklmnopqrstuvwxyz"
export const upper = lower.toUpperCase()
export const alnum = digits + upper + lower
export const low = digits + lower
export const word = `${alnum}_-`
export const base64 = `${alnum}+/`
export const base32 = `${upper}234567`
export const bech32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
