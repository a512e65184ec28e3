import { readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Log from "../../src/storage/Log.ts"
import { SchemaTooNew } from "../../src/storage/Migrations.ts"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import * as Process from "../support/Process.ts"
import { readDatabase, storageIn } from "../support/TestStorage.ts"
import { temporaryDirectory } from "../support/World.ts"

const applied = (directory: string) =>
  readDatabase<{ id: number; name: string; at: string }>(
    directory,
    sql`SELECT migration_id AS id, name, created_at AS at FROM migrations ORDER BY migration_id`
  )

const setting = (directory: string) =>
  readDatabase<{ json: string }>(directory, sql`SELECT json FROM singletons`)

const storeSetting = Effect.flatMap(Storage, ({ write }) =>
  write(run(sql`INSERT INTO singletons (name, json, updated_at) VALUES ('mine', '{}', 1)`))
)

const becomeNewer = Effect.flatMap(Storage, ({ write }) =>
  write(run(sql`INSERT INTO migrations (migration_id, name) VALUES (9999, 'from_the_future')`))
)

/** Makes of a database one of before 0039, whose log had a key of two columns. */
const becomeOlder = Effect.flatMap(Storage, ({ write }) =>
  Effect.forEach(
    [
      sql`
        CREATE TABLE older (stream INTEGER NOT NULL, sequence INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
          payload TEXT NOT NULL, PRIMARY KEY (stream, sequence)) WITHOUT ROWID`,
      sql`INSERT INTO older SELECT place >> 32, place & 4294967295, at, kind, payload FROM log`,
      sql`DROP TABLE log`,
      sql`ALTER TABLE older RENAME TO log`,
      sql`DROP INDEX admission_queue_put_off`,
      sql`DELETE FROM migrations WHERE migration_id = 39`
    ],
    (statement) => write(run(statement))
  )
)

describe("the schema", () => {
  it.scopedLive("is made by all migrations in their order when the directory is new", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.scoped(Layer.build(storageIn(directory)))
      const migrations = yield* applied(directory)
      assert.isAtLeast(migrations.length, 5)
      // A number may be left out, but no file, and none comes before one of a lower number.
      assert.deepStrictEqual(
        migrations.map(({ id, name }) => `${String(id).padStart(4, "0")}_${name}.ts`),
        readdirSync(new URL("../../src/storage/migrations", import.meta.url)).sort()
      )
      assert.deepStrictEqual(yield* readDatabase(directory, sql`PRAGMA foreign_key_check`), [])
    })
  )

  it.scopedLive("stays as it is, with all that it holds, when the directory is opened again", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.provide(storeSetting, storageIn(directory))
      const before = yield* applied(directory)
      yield* Effect.scoped(Layer.build(storageIn(directory)))
      assert.deepStrictEqual(yield* applied(directory), before)
      assert.deepStrictEqual(yield* setting(directory), [{ json: "{}" }])
    })
  )

  it.scopedLive("keeps what runs said before the log was laid out anew", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const attempts = ["one", "two"].map((resourceId) => ({ resource: "attempt", resourceId }))
      const said = Effect.flatMap(Storage, ({ read }) =>
        Effect.forEach(attempts, (attempt) => read(Log.after(attempt, 1, 100)))
      )
      const before = yield* Effect.gen(function* () {
        const { write } = yield* Storage
        for (const text of ["a", "b", "c"])
          for (const attempt of attempts)
            yield* write(Log.append(attempt, [{ kind: "output", payload: `{"text":"${text}"}` }]))
        const all = yield* said
        yield* becomeOlder
        return all
      }).pipe(Effect.provide(storageIn(directory)))
      assert.deepStrictEqual(
        before.map(({ entries }) => entries.map(({ sequence }) => sequence)),
        [
          [2, 3],
          [2, 3]
        ]
      )
      assert.deepStrictEqual(yield* Effect.provide(said, storageIn(directory)), before)
    })
  )

  it.scopedLive("is not touched by a version that is older than it: that one does not start", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.provide(Effect.zipRight(storeSetting, becomeNewer), storageIn(directory))
      const refused = yield* Effect.flip(Effect.scoped(Layer.build(storageIn(directory))))
      assert.instanceOf(refused, SchemaTooNew)
      assert.strictEqual(refused.found, 9999)
      const { code, output } = yield* Process.run({ ...Process.testKeys, SERVICE_DATA_DIR: directory })
      assert.strictEqual(code, 1)
      assert.match(output, /^muster: The database has schema 9999/m)
      assert.deepStrictEqual(yield* setting(directory), [{ json: "{}" }])
    })
  )
})
