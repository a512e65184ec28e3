import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Either, FastCheck as fc, Runtime } from "effect"
import * as Lease from "../../src/storage/Lease.ts"
import { rows, run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { steppedClock } from "../support/SteppedClock.ts"
import { storage, storageIn } from "../support/TestStorage.ts"
import { temporaryDirectory } from "../support/World.ts"

const inParallel = { concurrency: "unbounded" } as const

/** What one of three holders does with what it was given last, or how long nobody does anything. */
type Step =
  | { readonly does: "acquire" | "renew" | "release" | "guard"; readonly who: number; readonly for: number }
  | { readonly does: "revoke" }
  | { readonly does: "wait"; readonly for: number }

const milliseconds = fc.integer({ min: 1, max: 30 })

const anySteps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        does: fc.constantFrom(...(["acquire", "renew", "release", "guard"] as const)),
        who: fc.integer({ min: 0, max: 2 }),
        for: milliseconds
      })
    },
    { weight: 3, arbitrary: fc.record({ does: fc.constant("wait" as const), for: milliseconds }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("revoke" as const) }) }
  ),
  { maxLength: 60 }
)

describe("a lease", () => {
  it.scopedLive(
    "is given to one of all who ask at the same time, and to the next when that one gives it up",
    () =>
      Effect.gen(function* () {
        const { write } = yield* Storage
        const ask = Effect.forEach(
          Arr.range(1, 50),
          (number) => Effect.either(write(Lease.acquire("a", `holder ${number}`, 60_000))),
          inParallel
        )
        const first = yield* ask
        const [given, ...others] = Arr.getRights(first)
        assert.isDefined(given)
        assert.deepStrictEqual(others, [])
        const [refused] = Arr.getLefts(first)
        assert.strictEqual(refused?.name, "a")
        assert.match(refused?.holder ?? "", /^holder \d+$/)
        yield* write(Lease.guard(given))
        yield* write(Lease.release(given))
        const [next, ...rest] = Arr.getRights(yield* ask)
        assert.isDefined(next)
        assert.deepStrictEqual(rest, [])
        assert.isAbove(next.epoch, given.epoch)
        assert.isTrue(Either.isRight(yield* Effect.either(write(Lease.acquire("b", "holder 1", 60_000)))))
      }).pipe(Effect.provide(storage))
  )

  it.scopedLive("that was taken over keeps what its last holder writes out of the board", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const { read, write } = yield* Storage
      yield* write(run(sql`CREATE TABLE notes (text TEXT NOT NULL)`))
      const note = (lease: Lease.Lease, text: string) =>
        Effect.zipRight(run(sql`INSERT INTO notes (text) VALUES (${text})`), Lease.guard(lease))
      const before = yield* write(Lease.acquire("a", "before", 1_000))
      yield* clock.step(1_000)
      // It has expired and is nobody else's: what was begun goes on.
      yield* write(note(before, "late"))
      const after = yield* write(Lease.acquire("a", "after", 1_000))
      const lost = yield* Effect.flip(write(note(before, "too late")))
      assert.deepStrictEqual([lost.name, lost.epoch], ["a", before.epoch])
      yield* Effect.flip(write(Lease.renew(before, 1_000)))
      yield* write(Lease.release(before))
      yield* write(note(after, "next"))
      assert.deepStrictEqual(yield* read(rows(sql`SELECT text FROM notes`)), [
        { text: "late" },
        { text: "next" }
      ])
    }).pipe(Effect.provide([storage, clock.layer]))
  })

  it.scopedLive("has an epoch that grows across restarts, whatever was given up before", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const takeAndRelease = Effect.flatMap(Storage, ({ write }) =>
        write(Effect.tap(Lease.acquire("a", "me", 1), Lease.release))
      )
      const epochs = yield* Effect.forEach(Arr.range(1, 3), () =>
        Effect.map(Effect.provide(takeAndRelease, storageIn(directory)), ({ epoch }) => epoch)
      )
      assert.deepStrictEqual(epochs, [1, 2, 3])
    })
  )

  it.scopedLive("is never held by two, and its epochs only grow, whatever is done in whatever order", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const { write } = yield* Storage
      const runtime = yield* Effect.runtime<Storage>()
      let [runs, now, newest] = [0, 0, 0]

      const play = (steps: ReadonlyArray<Step>) =>
        Effect.gen(function* () {
          const name = `run ${runs++}`
          const nothing: Lease.Lease = { name, epoch: 0 }
          const given = [nothing, nothing, nothing]
          let owner: { readonly epoch: number; readonly expiresAt: number } | undefined
          for (const step of steps) {
            if (step.does === "wait") {
              yield* clock.step(step.for)
              now += step.for
              continue
            }
            if (step.does === "revoke") {
              yield* write(Lease.revoke(name))
              owner = undefined
              continue
            }
            const own = given[step.who] ?? nothing
            const isOwner = own.epoch === owner?.epoch
            switch (step.does) {
              case "acquire": {
                const taken = yield* Effect.either(write(Lease.acquire(name, `${step.who}`, step.for)))
                assert.strictEqual(Either.isRight(taken), owner === undefined || owner.expiresAt <= now)
                if (Either.isLeft(taken)) {
                  assert.strictEqual(taken.left.expiresAt, owner?.expiresAt)
                  break
                }
                assert.isAbove(taken.right.epoch, newest)
                newest = taken.right.epoch
                given[step.who] = taken.right
                owner = { epoch: newest, expiresAt: now + step.for }
                break
              }
              case "renew": {
                const renewed = yield* Effect.either(write(Lease.renew(own, step.for)))
                assert.strictEqual(Either.isRight(renewed), isOwner)
                if (isOwner) owner = { epoch: own.epoch, expiresAt: now + step.for }
                break
              }
              case "release": {
                yield* write(Lease.release(own))
                if (isOwner) owner = undefined
                break
              }
              case "guard":
            }
            const passing = yield* Effect.filter(given, (lease) =>
              Effect.map(Effect.either(write(Lease.guard(lease))), Either.isRight)
            )
            assert.deepStrictEqual(
              passing.map(({ epoch }) => epoch),
              owner === undefined ? [] : [owner.epoch]
            )
          }
        })

      yield* Effect.promise(() =>
        fc.assert(fc.asyncProperty(anySteps, (steps) => Runtime.runPromise(runtime)(play(steps))))
      )
    }).pipe(Effect.provide([storage, clock.layer]))
  })
})
