/** Chance that can be had again: the same seed throws the same numbers. */
export interface Dice {
  /** From 0 up to, and without, 1. */
  readonly next: () => number
  /** A whole number from 0 up to, and without, the end. */
  readonly below: (end: number) => number
  /** True so often out of a hundred times. */
  readonly percent: (often: number) => boolean
  readonly hex: (digits: number) => string
  readonly pick: <A>(all: ReadonlyArray<A>) => A
}

export const dice = (seed: number): Dice => {
  let state = seed >>> 0
  // Mulberry32: 32 bits of state are enough for a storm, and it is fast.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    below,
    percent: (often) => next() * 100 < often,
    hex: (digits) => Array.from({ length: digits }, () => below(16).toString(16)).join(""),
    pick: (all) => {
      const found = all[below(all.length)]
      if (found === undefined) throw new Error("Nothing to pick from")
      return found
    }
  }
}
