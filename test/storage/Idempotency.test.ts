import { assert, describe, it } from "@effect/vitest"
import { Data, Effect } from "effect"
import { OperationReused } from "../../src/kernel/OperationReused.ts"
import * as Idempotency from "../../src/storage/Idempotency.ts"
import { firstRow, run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { storage, storageIn } from "../support/TestStorage.ts"
import { temporaryDirectory } from "../support/World.ts"

class Refused extends Data.TaggedError("Refused") {}

const key = { scope: "test", id: "operation", input: { amount: 1, to: "b" } }
const inParallel = { concurrency: "unbounded" } as const

const withCounter = Effect.flatMap(Storage, ({ write }) =>
  Effect.zipRight(
    write(run(sql`CREATE TABLE counter (n INTEGER NOT NULL)`)),
    write(run(sql`INSERT INTO counter (n) VALUES (0)`))
  )
)

const count = firstRow<{ n: number }>(sql`SELECT n FROM counter`)

/** An operation with an effect: it raises the counter and answers what it is now. */
const increment = Effect.map(
  firstRow<{ n: number }>(sql`UPDATE counter SET n = n + 1 RETURNING n`),
  (row) => ({ count: row?.n })
)

describe("an operation with a key", () => {
  it.scopedLive("runs once for three calls at the same time, and all get its answer", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      yield* withCounter
      const call = write(increment.pipe(Idempotency.once(key)))
      const answers = yield* Effect.all([call, call, call], inParallel)
      assert.deepStrictEqual(answers, [
        { value: { count: 1 }, replayed: false },
        { value: { count: 1 }, replayed: true },
        { value: { count: 1 }, replayed: true }
      ])
      assert.deepStrictEqual(yield* read(count), { n: 1 })
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("takes its input for the same whatever the order of its members", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* withCounter
      yield* write(increment.pipe(Idempotency.once(key)))
      const again = yield* write(increment.pipe(Idempotency.once({ ...key, input: { to: "b", amount: 1 } })))
      assert.deepStrictEqual(again, { value: { count: 1 }, replayed: true })
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("is refused with another input, and has no effect then", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      yield* withCounter
      yield* write(increment.pipe(Idempotency.once(key)))
      const other = { ...key, input: { ...key.input, amount: 2 } }
      const refused = yield* Effect.flip(write(increment.pipe(Idempotency.once(other))))
      assert.instanceOf(refused, OperationReused)
      assert.strictEqual(refused.operationId, "operation")
      assert.deepStrictEqual(yield* read(count), { n: 1 })
      // The same id under another scope is another operation.
      yield* write(increment.pipe(Idempotency.once({ ...other, scope: "elsewhere" })))
      assert.deepStrictEqual(yield* read(count), { n: 2 })
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("that failed did not happen: its key is free, for another input too", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      yield* withCounter
      const failing = Effect.zipRight(increment, new Refused())
      assert.instanceOf(yield* Effect.flip(write(failing.pipe(Idempotency.once(key)))), Refused)
      assert.deepStrictEqual(yield* read(count), { n: 0 })
      const retried = yield* write(increment.pipe(Idempotency.once({ ...key, input: { amount: 3 } })))
      assert.deepStrictEqual(retried, { value: { count: 1 }, replayed: false })
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("is remembered across a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const call = Effect.flatMap(Storage, ({ write }) => write(increment.pipe(Idempotency.once(key))))
      const first = yield* Effect.provide(Effect.zipRight(withCounter, call), storageIn(directory))
      assert.isFalse(first.replayed)
      const second = yield* Effect.provide(call, storageIn(directory))
      assert.deepStrictEqual(second, { value: first.value, replayed: true })
    })
  )
})
