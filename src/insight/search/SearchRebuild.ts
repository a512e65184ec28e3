import { Duration, Effect } from "effect"
import type { StorageService } from "../../storage/Storage.ts"
import * as SearchRepo from "./SearchRepo.ts"

/** After how many milliseconds a unit takes no further document in. */
const unitMs = 5

/** How much longer than its work it rests: it leaves most of the thread to requests. */
const restFactor = 2

/** Takes the next documents in that the index does not hold; false when there are no more. */
const learnSome = Effect.gen(function* () {
  const until = performance.now() + unitMs
  while (performance.now() < until) if (!(yield* SearchRepo.learnNext)) return false
  return true
})

/**
 * Takes all documents into the index that it does not hold, the oldest first: those of a board whose index had another form.
 * Searches meanwhile find what is in it.
 */
export const rebuild = (storage: StorageService): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (;;) {
      const [took, more] = yield* Effect.timed(storage.write(learnSome))
      if (!more) return
      yield* Effect.sleep(Duration.times(took, restFactor))
    }
  })
