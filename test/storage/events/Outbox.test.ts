import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Data, Effect } from "effect"
import * as Outbox from "../../../src/storage/events/Outbox.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { recordChange } from "../../support/Journal.ts"
import { storage } from "../../support/TestStorage.ts"

class Refused extends Data.TaggedError("Refused") {}

const inParallel = { concurrency: "unbounded" } as const

describe("the outbox", () => {
  it.scopedLive("counts each stream and the whole without gaps, however many write and whatever fails", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      const streams = ["a", "b", "c", "d", "e"]
      // Every third unit fails after it has appended its event.
      yield* Effect.forEach(
        Arr.range(1, 900),
        (number) => {
          const record = recordChange(streams[number % 5] ?? "", { number })
          return number % 3 === 0 ? Effect.flip(write(Effect.zipRight(record, new Refused()))) : write(record)
        },
        inParallel
      )
      const all = yield* read(Outbox.after(0, 1_000))
      assert.deepStrictEqual(
        all.map(({ seq }) => seq),
        Arr.range(1, 600)
      )
      for (const resourceId of streams) {
        const stream = { resource: "thing", resourceId }
        const events = yield* read(Outbox.afterInStream(stream, 0, 1_000))
        assert.deepStrictEqual(
          events.map(({ streamSeq }) => streamSeq),
          Arr.range(1, 120)
        )
        assert.deepStrictEqual(
          events,
          all.filter((event) => event.resourceId === resourceId)
        )
        assert.strictEqual(yield* read(Outbox.streamHead(stream)), 120)
      }
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("is read by cursor: each page goes on where the one before ended", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      assert.strictEqual(yield* read(Outbox.head), 0)
      yield* write(Effect.forEach(Arr.range(1, 25), (number) => recordChange("a", { number })))
      const pages: Array<ReadonlyArray<number>> = []
      let cursor = 0
      for (;;) {
        const page = yield* read(Outbox.after(cursor, 10))
        if (page.length === 0) break
        pages.push(page.map(({ seq }) => seq))
        cursor = page.at(-1)?.seq ?? cursor
      }
      assert.deepStrictEqual(pages, [Arr.range(1, 10), Arr.range(11, 20), Arr.range(21, 25)])
      assert.strictEqual(yield* read(Outbox.head), 25)
      assert.deepStrictEqual(yield* read(Outbox.after(25, 10)), [])
      assert.strictEqual(yield* read(Outbox.streamHead({ resource: "thing", resourceId: "nobody" })), 0)
    }).pipe(Effect.provide(storage))
  )
})
