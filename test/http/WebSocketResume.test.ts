import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Console, Effect, Random } from "effect"
import { Hub } from "../../src/http/Hub.ts"
import { ask, createTask } from "../support/Board.ts"
import { loseConnections } from "../support/LostConnections.ts"
import { type Listener, listen } from "../support/Socket.ts"
import { temporaryDirectory, World, world, worldIn } from "../support/World.ts"

const open = (path?: string) =>
  Effect.flatMap(World, ({ baseUrl }) => listen(baseUrl, path === undefined ? {} : { path }))

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

describe("a listener that comes back", () => {
  for (const [way, comeBack] of Object.entries(waysBack)) {
    it.scopedLive(`${way} has heard everything once and in order, wherever the connection broke`, () =>
      Effect.gen(function* () {
        const seed = yield* Random.nextIntBetween(0, 1_000_000)
        yield* loseConnections(comeBack, 30).pipe(
          Effect.withRandom(Random.make(seed)),
          Effect.onError(() => Console.error(`seed ${seed}`))
        )
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

describe("many changes at once", () => {
  it.scopedLive("are told in the order of revisions, and the last one always", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask()
      const listener = yield* open()
      yield* Effect.forEach(
        Arr.range(1, 60),
        (index) => ask("PATCH", `/api/tasks/${id}`, { body: { title: `Title ${index}` } }),
        { concurrency: "unbounded" }
      )
      const revisions: Array<number> = []
      while (revisions.at(-1) !== 61) revisions.push((yield* listener.next).task.revision)
      assert.deepStrictEqual(
        revisions,
        [...new Set(revisions)].sort((a, b) => a - b)
      )
    }).pipe(Effect.provide(world()))
  )
})

describe("a page of the stream", () => {
  it.scopedLive("shows a task once, however often it was changed", () =>
    Effect.gen(function* () {
      const { page } = yield* Hub
      const { id } = yield* createTask()
      const other = yield* createTask()
      for (const title of ["a", "b", "c"]) yield* ask("PATCH", `/api/tasks/${id}`, { body: { title } })
      const { cursor, frames } = yield* page(0)
      assert.deepStrictEqual(
        frames.map(({ data }) => JSON.parse(data.toString()).task.id),
        [other.id, id]
      )
      assert.deepStrictEqual([cursor, frames.map(({ sequence }) => sequence)], [5, [2, 5]])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("holds a megabyte and a message at the most, and the next goes on behind it", () =>
    Effect.gen(function* () {
      const { page } = yield* Hub
      const description = "x".repeat(90_000)
      const tasks = yield* Effect.forEach(Arr.range(1, 40), () => createTask({ description }))
      const seen: Array<string> = []
      let cursor = 0
      let pages = 0
      while (seen.length < tasks.length) {
        const next = yield* page(cursor)
        const bytes = next.frames.reduce((sum, { data }) => sum + data.length, 0)
        assert.isAtMost(bytes, 1_048_576 + 100_000)
        seen.push(...next.frames.map(({ data }) => JSON.parse(data.toString()).task.id))
        cursor = next.cursor
        pages++
      }
      assert.deepStrictEqual(
        seen,
        tasks.map(({ id }) => id)
      )
      assert.isAbove(pages, 3)
    }).pipe(Effect.provide(world()))
  )
})
