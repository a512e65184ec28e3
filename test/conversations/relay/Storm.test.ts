import { assert, describe, it } from "@effect/vitest"
import { Config, Console, Effect } from "effect"
import { storm } from "./Storm.ts"

/** `npm run relay:storm` raises both; a seed throws the same dice again. */
const options = Config.all({
  storms: Config.withDefault(Config.integer("RELAY_STORMS"), 1),
  seed: Config.withDefault(Config.integer("RELAY_SEED"), 1),
  days: Config.withDefault(Config.integer("RELAY_DAYS"), 10)
})

describe("A month of storms between the bridge and a relay", () => {
  it.scopedLive(
    "loses no message, doubles none, and detaches none",
    () =>
      Effect.gen(function* () {
        const { days, seed, storms } = yield* options
        for (let one = seed; one < seed + storms; one++) {
          const started = performance.now()
          const { faults, messages, sockets } = yield* storm(one, days)
          assert.deepStrictEqual(
            faults.slice(0, 20),
            [],
            `RELAY_SEED=${one} RELAY_STORMS=1 RELAY_DAYS=${days}`
          )
          assert.strictEqual(sockets, 1, `RELAY_SEED=${one}: one socket for one adapter`)
          yield* Console.log(
            `RELAY_SEED=${one}: ${messages} messages, ${Math.round(performance.now() - started)} ms`
          )
        }
      }),
    { timeout: 36_000_000 }
  )
})
