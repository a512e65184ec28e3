import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Data, Duration, Effect, FastCheck as fc, Queue, Runtime, Schedule } from "effect"
import { Workers } from "../../src/kernel/Worker.ts"
import * as Log from "../../src/storage/Log.ts"
import { rows, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import * as Wakes from "../../src/storage/Wakes.ts"
import { steppedClock } from "../support/SteppedClock.ts"
import { storage } from "../support/TestStorage.ts"

class Refused extends Data.TaggedError("Refused") {}

const inParallel = { concurrency: "unbounded" } as const

const streamOf = (resourceId: string) => ({ resource: "run", resourceId })
const stream = streamOf("a")

const facts = (count: number, from = 1): ReadonlyArray<Log.Fact> =>
  Arr.makeBy(count, (index) => ({ kind: "said", payload: JSON.stringify(from + index) }))

const sequences = ({ entries }: Log.Page) => entries.map(({ sequence }) => sequence)

/** Takes away all that a rule does not keep, and gives how many units that took. */
const pruned = (rule: Log.Rule) =>
  Effect.flatMap(Storage, ({ write }) =>
    Effect.iterate(
      { units: 0, more: true },
      {
        while: ({ more }) => more,
        body: ({ units }) => Effect.map(write(Log.prune(rule)), (more) => ({ units: units + 1, more }))
      }
    )
  )

type Step = { readonly append: number } | { readonly read: number } | { readonly keep: number }

const anySteps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    fc.record({ append: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ read: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ keep: fc.integer({ min: 0, max: 12 }) })
  ),
  { maxLength: 40 }
)

const forever = Number.MAX_SAFE_INTEGER

describe("the log", () => {
  it.scopedLive("numbers each stream without gaps, however many append and whatever fails", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      const names = ["a", "b", "c"]
      // Every third batch fails after it has been appended.
      yield* Effect.forEach(
        Arr.range(1, 300),
        (number) => {
          const batch = Log.append(streamOf(names[number % 3] ?? ""), facts((number % 4) + 1, number))
          return number % 7 === 0
            ? Effect.asVoid(Effect.flip(write(Effect.zipRight(batch, new Refused()))))
            : Effect.asVoid(write(batch))
        },
        inParallel
      )
      for (const name of names) {
        const numbers = Arr.range(1, 300).filter((number) => number % 7 !== 0 && names[number % 3] === name)
        const said = numbers.flatMap((number) => facts((number % 4) + 1, number))
        const page = yield* read(Log.after(streamOf(name), 0, 1_000))
        assert.deepStrictEqual(sequences(page), Arr.range(1, said.length))
        assert.strictEqual(page.head, said.length)
        assert.deepStrictEqual(
          page.entries.map(({ kind, payload }) => ({ kind, payload })),
          said
        )
      }
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("is read by cursor in pages, and a page is bounded whatever is asked for", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      assert.deepStrictEqual(yield* read(Log.after(stream, 0, 10)), { entries: [], head: 0 })
      assert.strictEqual(yield* write(Log.append(stream, [])), 0)
      assert.strictEqual(yield* write(Log.append(stream, facts(1_200))), 1_200)
      assert.strictEqual(yield* write(Log.append(stream, [])), 1_200)
      assert.deepStrictEqual(sequences(yield* read(Log.after(stream, 0, 3))), [1, 2, 3])
      assert.deepStrictEqual(sequences(yield* read(Log.after(stream, 1_198, 3))), [1_199, 1_200])
      assert.deepStrictEqual(sequences(yield* read(Log.after(stream, 1_200, 3))), [])
      assert.deepStrictEqual(sequences(yield* read(Log.after(stream, 0, forever))), Arr.range(1, 1_000))
      assert.strictEqual(yield* read(Log.headOf(stream)), 1_200)
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("wakes who follows the stream once for a batch, and nobody else", () =>
    Effect.gen(function* () {
      const { onMove, write } = yield* Storage
      const heard = { a: 0, b: 0, outbox: 0 }
      yield* onMove([Log.nameOf(streamOf("a"))], () => heard.a++)
      yield* onMove([Log.nameOf(streamOf("b"))], () => heard.b++)
      yield* onMove(["outbox", "audit", "run"], () => heard.outbox++)
      const bell = yield* Wakes.of(Log.nameOf(stream))
      yield* write(Log.append(stream, facts(500)))
      yield* Queue.take(bell)
      assert.deepStrictEqual(heard, { a: 1, b: 0, outbox: 0 })
      yield* Effect.flip(write(Effect.zipRight(Log.append(stream, facts(1)), new Refused())))
      assert.deepStrictEqual(heard, { a: 1, b: 0, outbox: 0 })
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("keeps of each stream what its rule says, and goes on counting when nothing is left", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const { read, write } = yield* Storage
      const rule = { resource: "run", newest: 10, milliseconds: 1_000 }
      yield* write(Log.append(stream, facts(25)))
      yield* write(Log.append(streamOf("b"), facts(4)))
      yield* write(Log.append({ resource: "other", resourceId: "a" }, facts(25)))
      yield* pruned(rule)
      assert.deepStrictEqual(sequences(yield* read(Log.after(stream, 0, 100))), Arr.range(16, 25))
      yield* clock.step(600)
      yield* write(Log.append(streamOf("b"), facts(2)))
      yield* clock.step(600)
      yield* pruned(rule)
      assert.deepStrictEqual(yield* read(Log.after(stream, 25, 100)), { entries: [], head: 25 })
      assert.deepStrictEqual(sequences(yield* read(Log.after(streamOf("b"), 0, 100))), [5, 6])
      assert.lengthOf((yield* read(Log.after({ resource: "other", resourceId: "a" }, 0, 100))).entries, 25)
      assert.strictEqual(yield* write(Log.append(stream, facts(1))), 26)
      assert.deepStrictEqual(sequences(yield* read(Log.after(stream, 0, 100))), [26])
    }).pipe(Effect.provide([storage, clock.layer]))
  })

  it.scopedLive("tells a cursor that fell behind what is gone", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      yield* write(Log.append(stream, facts(25)))
      yield* pruned({ resource: "run", newest: 10, milliseconds: forever })
      const gapAfter = (cursor: number) => Effect.map(read(Log.after(stream, cursor, 100)), ({ gap }) => gap)
      assert.deepStrictEqual(yield* gapAfter(0), { from: 1, to: 15 })
      assert.deepStrictEqual(yield* gapAfter(14), { from: 15, to: 15 })
      assert.isUndefined(yield* gapAfter(15))
      assert.isUndefined(yield* gapAfter(25))
      yield* pruned({ resource: "run", newest: 0, milliseconds: forever })
      assert.deepStrictEqual(yield* read(Log.after(stream, 20, 100)), {
        entries: [],
        head: 25,
        gap: { from: 21, to: 25 }
      })
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("takes away in bounded pieces, also what is left of a stream that was forgotten", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      yield* write(Log.append(stream, facts(4_500)))
      const rule = { resource: "run", newest: 1_000, milliseconds: forever }
      assert.isTrue(yield* write(Log.prune(rule)))
      assert.deepStrictEqual((yield* read(Log.after(stream, 0, 1))).gap, { from: 1, to: 1_000 })
      // Four pieces, and a look that finds nothing more.
      assert.strictEqual((yield* pruned(rule)).units, 4)
      yield* write(Log.append(stream, facts(2_000)))
      yield* write(Log.forget(stream))
      yield* write(Log.forget(streamOf("nobody")))
      assert.deepStrictEqual(yield* read(Log.after(stream, 0, 10)), { entries: [], head: 0 })
      assert.strictEqual(yield* write(Log.append(stream, facts(1, 7))), 1)
      assert.strictEqual((yield* pruned(rule)).units, 5)
      assert.deepStrictEqual(yield* read(rows(sql`SELECT payload FROM log`)), [{ payload: "7" }])
      assert.deepStrictEqual(yield* read(rows(sql`SELECT stream FROM log_leftovers`)), [])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("is kept by a worker that finds what is too much by itself", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      yield* write(Log.append(stream, facts(2_500)))
      yield* Log.keep([{ resource: "run", newest: 5, milliseconds: forever }])
      yield* Effect.repeat(read(Log.after(stream, 0, 1)), {
        until: ({ gap }) => gap?.to === 2_495,
        schedule: Schedule.spaced("5 millis")
      }).pipe(Effect.timeout(Duration.seconds(10)))
    }).pipe(Effect.provide([storage, Workers.layer]))
  )

  it.scopedLive(
    "tells a follower each fact that was there when it read, once and in order, or that it is gone",
    () =>
      Effect.gen(function* () {
        const { read, write } = yield* Storage
        const runtime = yield* Effect.runtime<Storage>()
        let runs = 0

        const follow = (steps: ReadonlyArray<Step>) =>
          Effect.gen(function* () {
            const followed = { resource: `run-${runs++}`, resourceId: "a" }
            const covered: Array<number> = []
            let [cursor, said] = [0, 0]
            const readOn = (limit: number) =>
              Effect.map(read(Log.after(followed, cursor, limit)), ({ entries, gap, head }) => {
                assert.strictEqual(head, said)
                if (gap !== undefined) covered.push(...Arr.range(gap.from, gap.to))
                covered.push(...entries.map(({ sequence }) => sequence))
                for (const { payload, sequence } of entries) assert.strictEqual(payload, String(sequence))
                cursor = covered.at(-1) ?? 0
              })
            for (const step of steps) {
              if ("append" in step) {
                yield* write(Log.append(followed, facts(step.append, said + 1)))
                said += step.append
              } else if ("read" in step) yield* readOn(step.read)
              else yield* pruned({ resource: followed.resource, newest: step.keep, milliseconds: forever })
            }
            while (cursor < said) yield* readOn(5)
            assert.deepStrictEqual(covered, said === 0 ? [] : Arr.range(1, said))
          })

        yield* Effect.promise(() =>
          fc.assert(fc.asyncProperty(anySteps, (steps) => Runtime.runPromise(runtime)(follow(steps))))
        )
      }).pipe(Effect.provide(storage))
  )
})
