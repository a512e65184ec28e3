import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Console, Effect, Random } from "effect"
import { byForm, isLong } from "../support/Form.ts"
import { loseConnections } from "../support/LostConnections.ts"
import * as Process from "../support/Process.ts"
import { listen } from "../support/Socket.ts"
import { keys, send, temporaryDirectory, World, world } from "../support/World.ts"

/** How much memory a process holds, in megabytes. */
const residentMegabytes = (pid: number) =>
  Effect.sync(() => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024)

describe("readers that ask for all that ever happened and then read nothing", () => {
  it.scopedLive(
    "are cut off, and cost no memory to speak of",
    () =>
      Effect.gen(function* () {
        const server = yield* Process.start(yield* temporaryDirectory)
        const description = "x".repeat(90_000)
        // Each task is as large as a task may be told of, and they are many: this is what a page could be full of.
        const tasks = yield* Effect.forEach(
          Arr.range(1, isLong ? 350 : 250),
          (index) =>
            send(server.baseUrl, "POST", "/api/tasks", { body: { title: `Task ${index}`, description } }),
          { concurrency: 8 }
        )
        for (const round of Arr.range(1, byForm({ short: 1, middle: 5, full: 10 }))) {
          yield* Effect.forEach(
            tasks,
            ({ body }) =>
              send(server.baseUrl, "PATCH", `/api/tasks/${body.id}`, { body: { title: `Round ${round}` } }),
            { concurrency: 8, discard: true }
          )
        }
        const before = yield* residentMegabytes(server.pid)
        const readers = yield* Effect.forEach(Arr.range(1, isLong ? 20 : 10), () =>
          Effect.tap(
            listen(server.baseUrl, {
              headers: { "x-api-key": keys["read-only"] },
              path: "/ws?afterSequence=0"
            }),
            (reader) => reader.pause
          )
        )
        yield* Effect.forEach(
          readers,
          ({ resume, closed }) =>
            Effect.gen(function* () {
              yield* Effect.sleep("17 seconds")
              yield* resume
              assert.strictEqual((yield* closed).code, 1013)
            }),
          { concurrency: "unbounded" }
        )
        const grown = (yield* residentMegabytes(server.pid)) - before
        assert.isBelow(grown, 150)
      }),
    { timeout: isLong ? 600_000 : 120_000 }
  )
})

describe("a reader that loses its connection", () => {
  it.scopedLive(
    "hears everything once and in order, however often",
    () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* World
        const seed = yield* Random.nextIntBetween(0, 1_000_000)
        const comeBack = (after: number) => listen(baseUrl, { path: `/ws?afterSequence=${after}` })
        yield* loseConnections(comeBack, byForm({ short: 5, middle: 200, full: 10_000 })).pipe(
          Effect.withRandom(Random.make(seed)),
          Effect.onError(() => Console.error(`seed ${seed}`))
        )
      }).pipe(Effect.provide(world())),
    { timeout: isLong ? 3_600_000 : 120_000 }
  )
})
