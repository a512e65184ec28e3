import { Effect } from "effect"

/** The next turn of the event loop, after what came in over the network. */
const nextTurn = Effect.async<void>((resume) => {
  const waiting = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(waiting))
})

/**
 * Waits until there is time for a piece of work in this turn of the event loop: all who ask share so many milliseconds of
 * each turn, and the rest of it belongs to others. A piece that is begun is not cut.
 */
export const sharedTurn = (milliseconds: number): Effect.Effect<void> => {
  let begun: number | undefined
  const hasTime = (): boolean => {
    const at = performance.now()
    if (begun === undefined) {
      begun = at
      setImmediate(() => {
        begun = undefined
      })
    }
    return at - begun < milliseconds
  }
  const wait: Effect.Effect<void> = Effect.suspend(() =>
    hasTime() ? Effect.void : Effect.zipRight(nextTurn, wait)
  )
  return wait
}
