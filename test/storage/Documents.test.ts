import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { StoredUnreadable } from "../../src/kernel/Json.ts"
import { documents } from "../../src/storage/Documents.ts"
import { rows, run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { storage } from "../support/TestStorage.ts"

const Thing = Schema.Struct({
  id: Schema.String,
  revision: Schema.Int,
  name: Schema.Trim.pipe(Schema.maxLength(5)),
  colour: Schema.optionalWith(Schema.Literal("red", "blue"), { exact: true })
})
type Thing = typeof Thing.Type

const things = documents("things", Thing, ({ name }) => ({ name }))

const withThings = Effect.flatMap(Storage, ({ write }) =>
  write(
    run(
      sql`CREATE TABLE things (id TEXT PRIMARY KEY, name TEXT NOT NULL, revision INTEGER NOT NULL, json TEXT NOT NULL)`
    )
  )
)

const first: Thing = { id: "a", revision: 1, name: "one" }

describe("documents", () => {
  it.scopedLive("come back as they were written, and are found by what stands in columns", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      yield* withThings
      const other: Thing = { id: "b", revision: 1, name: "two", colour: "red" }
      yield* write(Effect.zipRight(things.insert(first), things.insert(other)))
      assert.deepStrictEqual(yield* read(things.find("b")), other)
      assert.isUndefined(yield* read(things.find("c")))
      assert.strictEqual(yield* read(things.count), 2)
      const next: Thing = { ...first, revision: 2, name: "zwei" }
      yield* write(things.update(first, next))
      assert.deepStrictEqual(yield* read(things.select((sql) => sql`ORDER BY name`)), [other, next])
      assert.deepStrictEqual(yield* read(rows(sql`SELECT name, revision FROM things WHERE id = 'a'`)), [
        { name: "zwei", revision: 2 }
      ])
      yield* write(things.remove("a"))
      assert.deepStrictEqual(yield* read(things.select((sql) => sql`ORDER BY id`)), [other])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("are written over only where they are still the revision that was read", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      yield* withThings
      yield* write(things.insert(first))
      const next: Thing = { ...first, revision: 2 }
      const written = yield* Effect.forEach(
        Array.from({ length: 8 }),
        () => Effect.exit(write(things.update(first, next))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        written.filter(({ _tag }) => _tag === "Success"),
        1
      )
      assert.deepStrictEqual(yield* read(things.find("a")), next)
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("that somebody else wrote are not taken for what they are not", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      yield* withThings
      for (const json of ['{"id":"a","revision":1}', '{"id":"a","revision":"1","name":"one"}', "[]", "{"]) {
        yield* write(run(sql`INSERT INTO things (id, name, revision, json) VALUES ('a', 'one', 1, ${json})`))
        const defect = yield* Effect.flip(Effect.sandbox(read(things.find("a"))))
        assert.include(String(defect), new StoredUnreadable().message, json)
        assert.include(String(defect), "(things a, json", json)
        assert.notInclude(String(defect), "one")
        yield* write(things.remove("a"))
      }
    }).pipe(Effect.provide(storage))
  )
})
