import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, FastCheck as fc, Layer } from "effect"
import * as Journal from "../../../src/storage/events/Journal.ts"
import * as Outbox from "../../../src/storage/events/Outbox.ts"
import type { Retention } from "../../../src/storage/Retention.ts"
import { sweep } from "../../../src/storage/retention/Sweep.ts"
import { rows, run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { recordChange, tester } from "../../support/Journal.ts"
import { type SteppedClock, steppedClock } from "../../support/SteppedClock.ts"
import { storage } from "../../support/TestStorage.ts"

const day = 86_400_000

/** Reports are kept somewhere else; of their events nobody needs to hear again. */
const reports: Retention = {
  name: "reports",
  span: { days: 1, count: 0 },
  forget: () => Effect.succeed(0),
  passing: "report"
}

const report = (resourceId: string) =>
  Journal.record({ _tag: "report.made", resource: "report", resourceId }, tester)

const change = (name: string, times = 1) =>
  Effect.flatMap(Storage, ({ write }) =>
    write(Effect.forEach(Arr.makeBy(times, String), () => recordChange(name)))
  )

/** What a read model has taken in: all up to a sequence. */
const takeIn = (cursor: number) =>
  Effect.flatMap(Storage, ({ write }) =>
    write(
      run(
        sql`
          INSERT INTO projections (name, cursor) VALUES ('model', ${cursor})
          ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor`
      )
    )
  )

const keep = (days: number, count: number) => sweep([reports], { events: { days, count } })

const all = Effect.flatMap(Storage, ({ read }) => read(Outbox.after(0, 100_000)))
const kept = Effect.map(all, (events) => events.map(({ seq }) => seq))

const inWorld = <A, E>(use: (clock: SteppedClock) => Effect.Effect<A, E, Storage>) =>
  Effect.suspend(() => {
    const clock = steppedClock()
    return Effect.provide(use(clock), Layer.provideMerge(storage, clock.layer))
  })

describe("an event", () => {
  it.scopedLive("goes when it is older than the days and not among the last so many", () =>
    inWorld(({ step }) =>
      Effect.gen(function* () {
        yield* change("a", 10)
        yield* step("3 days")
        yield* keep(2, 5)
        assert.deepStrictEqual(
          yield* kept,
          [5, 6, 7, 8, 9, 10],
          "beyond the last five, and the newest of those"
        )
        yield* keep(4, 1)
        assert.deepStrictEqual(yield* kept, [5, 6, 7, 8, 9, 10], "too young")
        yield* change("a", 2)
        yield* keep(2, 1)
        assert.deepStrictEqual(yield* kept, [10, 11, 12])
      })
    )
  )

  it.scopedLive("stays until every read model has taken it in", () =>
    inWorld(({ step }) =>
      Effect.gen(function* () {
        yield* change("a", 10)
        yield* step("3 days")
        yield* takeIn(4)
        yield* keep(2, 1)
        assert.deepStrictEqual(yield* kept, [4, 5, 6, 7, 8, 9, 10])
        yield* takeIn(10)
        yield* keep(2, 1)
        assert.deepStrictEqual(yield* kept, [9, 10])
      })
    )
  )

  it.scopedLive("that is the only one of a stream which nobody follows goes without a trace", () =>
    inWorld(({ step }) =>
      Effect.gen(function* () {
        const { write } = yield* Storage
        yield* change("a")
        yield* write(Effect.forEach(Arr.makeBy(500, String), report))
        yield* change("b")
        yield* step("3 days")
        yield* keep(2, 1)
        assert.deepStrictEqual(yield* kept, [1, 502])
      })
    )
  )

  it.scopedLive("is there as before when a piece of the work fails, and goes the next time", () =>
    inWorld(({ now, step }) =>
      Effect.gen(function* () {
        const { write } = yield* Storage
        yield* change("a", 20)
        yield* step("3 days")
        const piece = Outbox.forgetOld([])({ before: now(), newest: 1 }, 10)
        yield* Effect.exit(write(Effect.zipRight(piece, Effect.dieMessage("The power is gone"))))
        assert.deepStrictEqual(yield* kept, Arr.range(1, 20))
        yield* write(piece)
        assert.deepStrictEqual(yield* kept, Arr.range(10, 20))
        yield* keep(2, 1)
        assert.deepStrictEqual(yield* kept, [19, 20])
      })
    )
  )

  it.scopedLive("leaves its link of the audit chain", () =>
    inWorld(({ step }) =>
      Effect.gen(function* () {
        const { read } = yield* Storage
        yield* change("a", 300)
        yield* step("3 days")
        yield* keep(2, 1)
        assert.lengthOf(yield* kept, 2)
        assert.deepStrictEqual(yield* read(rows(sql`SELECT COUNT(*) AS links FROM audit`)), [{ links: 300 }])
      })
    )
  )
})

const streams = ["a", "b", "c", "d"]

/** Something happens, a read model takes so many events in, hours pass, and what is old goes. */
const Round = fc.record({
  happens: fc.array(fc.constantFrom(...streams, "report"), { maxLength: 60, size: "max" }),
  takenIn: fc.nat(60),
  hours: fc.nat(48)
})

const Chosen = fc.record({ days: fc.integer({ min: 1, max: 3 }), count: fc.integer({ min: 0, max: 30 }) })

/** What a follower of a stream is told who has seen all up to a cursor: what is missing, then what there is. */
const toldAfter = (events: ReadonlyArray<Outbox.OutboxEvent>, cursor: number): ReadonlyArray<number> => {
  const next = events[0]?.streamSeq ?? cursor + 1
  const missing = next === cursor + 1 ? [] : Arr.range(cursor + 1, next - 1)
  return [...missing, ...events.map(({ streamSeq }) => streamSeq)]
}

describe("whatever is forgotten", () => {
  it("streams go on in sequence, and who comes back hears of all that has changed", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(Round, { minLength: 4, maxLength: 12, size: "max" }),
        Chosen,
        (rounds, { count, days }) =>
          inWorld(({ now, step }) =>
            Effect.gen(function* () {
              const { read, write } = yield* Storage
              const happened: Array<Outbox.OutboxEvent> = []
              let taken = 0
              for (const { happens, hours, takenIn } of rounds) {
                yield* write(
                  Effect.forEach(happens, (name, index) =>
                    name === "report" ? report(`${happened.length + index}`) : recordChange(name)
                  )
                )
                happened.push(...(yield* read(Outbox.after(happened.length, 100))))
                taken = Math.min(happened.length, taken + takenIn)
                yield* takeIn(taken)
                yield* step(`${hours} hours`)
                yield* keep(days, count)
                const there = new Set(yield* kept)
                const mayGo = happened.filter(
                  ({ createdAt, seq }) =>
                    createdAt < now() - days * day &&
                    seq <= happened.length - Math.max(1, count) &&
                    seq <= taken
                )
                const gone = happened.filter(({ seq }) => !there.has(seq))
                assert.includeMembers(mayGo, gone, "what went was old enough")
                assert.isAtMost(
                  mayGo.length - gone.length,
                  streams.length,
                  "of each stream one of these is left"
                )
              }
              const left = yield* all
              for (const resourceId of streams) {
                const stream = { resource: "thing", resourceId }
                const own = happened.filter((event) => event.resourceId === resourceId)
                assert.deepStrictEqual(
                  own.map(({ streamSeq }) => streamSeq),
                  own.map((_, index) => index + 1)
                )
                for (const cursor of own.keys()) {
                  const events = yield* read(Outbox.afterInStream(stream, cursor, 1_000))
                  assert.deepStrictEqual(toldAfter(events, cursor), Arr.range(cursor + 1, own.length))
                }
                // Whoever resumes after any sequence is told of the last that has happened since.
                const last = own.at(-1)
                if (last !== undefined) assert.deepInclude(left, last)
              }
            })
          ).pipe(Effect.scoped, Effect.runPromise)
      ),
      { numRuns: 12, endOnFailure: true }
    ))
})
