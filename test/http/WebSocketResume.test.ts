import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Console, Effect, Fiber, Random } from "effect"
import * as Outbox from "../../src/storage/Outbox.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { ask, createTask } from "../support/Board.ts"
import { type Listener, listen } from "../support/Socket.ts"
import { temporaryDirectory, World, world, worldIn } from "../support/World.ts"

const open = (path?: string) =>
  Effect.flatMap(World, ({ baseUrl }) => listen(baseUrl, path === undefined ? {} : { path }))

/** The newest sequence of the board. */
const head = Effect.flatMap(Storage, ({ read }) => read(Outbox.head))

/** Two ways to come back. Both give a listener whose next message is the first that was missed. */
const waysBack = {
  "in the URL": (after: number) => open(`/ws?afterSequence=${after}`),
  "by a message": (after: number) =>
    Effect.gen(function* () {
      const listener = yield* open()
      yield* listener.send({ type: "resume", afterSequence: after })
      yield* listener.until(({ type }) => type === "resumed")
      return listener
    })
}

/** Takes so many messages of the board and gives their sequences. */
const take = (listener: Listener, count: number) =>
  Effect.forEach(Arr.makeBy(count, String), () =>
    Effect.map(listener.next, ({ sequence }): number => sequence)
  )

const taskCount = 4

/** Writes without a pause until it is interrupted. */
const writer = (id: string) =>
  Effect.forever(ask("PATCH", `/api/tasks/${id}`, { body: { description: "x".repeat(2_000) } }))

/** Loses its connection again and again, at any point, while others write; gives every sequence that was heard. */
const loseConnections = (comeBack: (after: number) => ReturnType<typeof open>, times: number) =>
  Effect.gen(function* () {
    const tasks = yield* Effect.forEach(Arr.range(1, taskCount), () => createTask())
    const writers = yield* Effect.fork(
      Effect.forEach(tasks, ({ id }) => writer(id), { concurrency: "unbounded" })
    )
    const heard: Array<number> = []
    for (const _ of Arr.range(1, times)) {
      const count = yield* Random.nextIntBetween(1, 40)
      const pause = yield* Random.nextIntBetween(0, 15)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const listener = yield* comeBack(heard.at(-1) ?? 0)
          heard.push(...(yield* take(listener, count)))
          yield* listener.cut
        })
      )
      yield* Effect.sleep(pause)
    }
    yield* Fiber.interrupt(writers)
    const last = yield* comeBack(heard.at(-1) ?? 0)
    const end = yield* head
    heard.push(...(yield* take(last, end - (heard.at(-1) ?? 0))))
    return { end, heard }
  })

describe("a listener that comes back", () => {
  for (const [way, comeBack] of Object.entries(waysBack)) {
    it.scopedLive(`${way} has heard everything once and in order, wherever the connection broke`, () =>
      Effect.gen(function* () {
        const seed = yield* Random.nextIntBetween(0, 1_000_000)
        const { end, heard } = yield* loseConnections(comeBack, 40).pipe(
          Effect.withRandom(Random.make(seed)),
          Effect.onError(() => Console.error(`seed ${seed}`))
        )
        // Only tasks were written, and each of their events makes one message.
        assert.deepStrictEqual(heard, Arr.range(1, end), `seed ${seed}`)
      }).pipe(Effect.provide(world()))
    )

    it.scopedLive(`${way} goes on live after the last that it missed`, () =>
      Effect.gen(function* () {
        yield* Effect.forEach(Arr.range(1, 600), () => createTask(), { concurrency: 8 })
        const listener = yield* comeBack(250)
        assert.deepStrictEqual(yield* take(listener, 350), Arr.range(251, 600))
        yield* createTask()
        assert.deepStrictEqual(yield* take(listener, 1), [601])
      }).pipe(Effect.provide(world()))
    )

    it.scopedLive(`${way} with a sequence that is yet to come hears what happens from now on`, () =>
      Effect.gen(function* () {
        yield* createTask()
        const listener = yield* comeBack(1_000_000)
        yield* createTask()
        assert.deepStrictEqual(yield* take(listener, 1), [2])
      }).pipe(Effect.provide(world()))
    )
  }

  it.scopedLive("finds what it missed after the server was started again, too", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.forEach(Arr.range(1, 5), () => createTask()).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        const listener = yield* open("/ws?afterSequence=3")
        assert.deepStrictEqual(yield* take(listener, 2), [4, 5])
        yield* createTask()
        assert.deepStrictEqual(yield* take(listener, 1), [6])
      }).pipe(Effect.scoped, Effect.provide(worldIn(directory)))
    })
  )

  it.scopedLive("is told by how far it is behind", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(Arr.range(1, 5), () => createTask())
      const listener = yield* open()
      yield* listener.send({ type: "resume", afterSequence: 2 })
      assert.deepStrictEqual(yield* listener.next, { type: "resumed", cursor: 5 })
      assert.deepStrictEqual(yield* take(listener, 3), [3, 4, 5])
    }).pipe(Effect.provide(world()))
  )
})
