import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Layer, Logger, LogLevel } from "effect"
import { Workers } from "../../../src/kernel/Worker.ts"
import { keep, type Projection } from "../../../src/storage/events/Projection.ts"
import { rows, run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { recordChange } from "../../support/Journal.ts"
import { storageIn } from "../../support/TestStorage.ts"
import { virtualClock } from "../../support/VirtualClock.ts"
import { temporaryDirectory } from "../../support/World.ts"

/** Writes down each event that it takes in; chokes on some. */
const ledger = (chokesOn: ReadonlyArray<number> = []): Projection => ({
  name: "ledger",
  gather: "1 hour",
  apply: ({ seq }) =>
    chokesOn.includes(seq)
      ? Effect.dieMessage(`event ${seq} can't be read`)
      : run(sql`INSERT INTO ledger (seq) VALUES (${seq})`)
})

const written = Effect.flatMap(Storage, ({ read }) =>
  Effect.map(read(rows<{ seq: number }>(sql`SELECT seq FROM ledger ORDER BY rowid`)), (all) =>
    all.map(({ seq }) => seq)
  )
)

/** How far each read model has read. */
const cursors = Effect.flatMap(Storage, ({ read }) => read(rows(sql`SELECT name, cursor FROM projections`)))

const happen = (count: number) =>
  Effect.flatMap(Storage, ({ write }) =>
    write(Effect.forEach(Arr.range(1, count), (number) => recordChange("a", { number })))
  )

const life = <A, E, R>(directory: string, work: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.provide(
      Effect.zipRight(
        Effect.flatMap(Storage, ({ write }) =>
          write(run(sql`CREATE TABLE IF NOT EXISTS ledger (seq INTEGER)`))
        ),
        work
      ),
      Layer.mergeAll(storageIn(directory), Workers.layer, Logger.minimumLogLevel(LogLevel.None))
    )
  )

describe("a projection", () => {
  it.scopedLive("has taken in everything that was committed once it has caught up", () =>
    Effect.flatMap(temporaryDirectory, (directory) =>
      life(
        directory,
        Effect.gen(function* () {
          yield* happen(700)
          const { catchUp } = yield* keep(ledger())
          yield* Effect.all([catchUp, catchUp, catchUp], { concurrency: "unbounded" })
          assert.deepStrictEqual(yield* written, Arr.range(1, 700))
        })
      )
    )
  )

  it.scopedLive("goes on after a restart where it was, and counts no event twice", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const round = Effect.gen(function* () {
        yield* happen(3)
        const { catchUp } = yield* keep(ledger())
        yield* catchUp
        return yield* written
      })
      yield* life(directory, round)
      assert.deepStrictEqual(yield* life(directory, round), Arr.range(1, 6))
    })
  )

  it.scopedLive("follows the commits by itself", () =>
    Effect.flatMap(temporaryDirectory, (directory) =>
      life(
        directory,
        Effect.gen(function* () {
          yield* keep({ ...ledger(), gather: 0 })
          yield* happen(2)
          while ((yield* written).length < 2) yield* Effect.sleep(1)
          yield* happen(1)
          while ((yield* written).length < 3) yield* Effect.sleep(1)
        })
      )
    )
  )

  it.scopedLive("passes over an event that can't be taken in, and over no other", () =>
    Effect.flatMap(temporaryDirectory, (directory) =>
      life(
        directory,
        Effect.gen(function* () {
          yield* happen(300)
          const { catchUp } = yield* keep(ledger([7, 280, 300]))
          yield* catchUp
          const expected = Arr.range(1, 300).filter((seq) => ![7, 280, 300].includes(seq))
          assert.deepStrictEqual(yield* written, expected)
        })
      )
    )
  )

  it.scopedLive("is known before it has taken anything in, so that no event goes that it needs", () =>
    Effect.flatMap(temporaryDirectory, (directory) =>
      life(
        directory,
        Effect.gen(function* () {
          yield* happen(3)
          yield* keep(ledger())
          assert.deepStrictEqual(yield* cursors, [{ name: "ledger", cursor: 0 }])
        })
      )
    )
  )

  it.scopedLive(
    "of some resources begins before their first event, and behind all events when there is none",
    () =>
      Effect.flatMap(temporaryDirectory, (directory) =>
        life(
          directory,
          Effect.gen(function* () {
            yield* happen(5)
            yield* keep({ ...ledger(), name: "others", resources: ["something else"] })
            const { catchUp } = yield* keep({ ...ledger(), resources: ["thing"] })
            assert.deepStrictEqual(yield* cursors, [
              { name: "ledger", cursor: 0 },
              { name: "others", cursor: 5 }
            ])
            yield* catchUp
            assert.deepStrictEqual(yield* written, Arr.range(1, 5))
          })
        )
      )
  )

  it.scopedLive(
    "of resources as they are now takes in the last event of each, however many came before",
    () =>
      Effect.flatMap(temporaryDirectory, (directory) =>
        life(
          directory,
          Effect.gen(function* () {
            const { write } = yield* Storage
            yield* write(
              Effect.forEach(Arr.range(1, 5_000), (number) => recordChange(`${number % 3}`, { number }))
            )
            const { catchUp } = yield* keep({ ...ledger([4_999]), takesLatest: true })
            yield* catchUp
            assert.deepStrictEqual(yield* written, [4_998, 5_000])
            yield* write(recordChange("1", {}))
            yield* catchUp
            assert.deepStrictEqual(yield* written, [4_998, 5_000, 5_001])
            assert.deepStrictEqual(yield* cursors, [{ name: "ledger", cursor: 5_001 }])
          })
        )
      )
  )

  it.scopedLive("passes within an hour what happens to others, and holds none of it for longer", () =>
    Effect.flatMap(temporaryDirectory, (directory) => {
      const { live, pass } = virtualClock(0)
      return live(
        life(
          directory,
          Effect.gen(function* () {
            yield* keep({ ...ledger(), resources: ["something else"], gather: 0 })
            yield* pass("1 minute")
            yield* happen(3)
            yield* pass("30 minutes")
            assert.deepStrictEqual(yield* cursors, [{ name: "ledger", cursor: 0 }])
            yield* pass("31 minutes")
            assert.deepStrictEqual(yield* cursors, [{ name: "ledger", cursor: 3 }])
          })
        )
      )
    })
  )
})
