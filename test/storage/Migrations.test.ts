import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
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

describe("the schema", () => {
  it.scopedLive("is made by all migrations in their order when the directory is new", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.scoped(Layer.build(storageIn(directory)))
      const migrations = yield* applied(directory)
      assert.isAtLeast(migrations.length, 5)
      assert.deepStrictEqual(
        migrations.map(({ id }) => id),
        [...new Set(migrations.map(({ id }) => id))].sort((one, other) => one - other)
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
