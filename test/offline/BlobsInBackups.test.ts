import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Fiber, Layer, Stream } from "effect"
import { Backups } from "../../src/insight/maintenance/Backups.ts"
import { system } from "../../src/kernel/Actor.ts"
import { Workers } from "../../src/kernel/Worker.ts"
import { verify } from "../../src/offline/DatabaseFile.ts"
import { Blobs } from "../../src/storage/blobs/Blobs.ts"
import { openPlain } from "../../src/storage/Connection.ts"
import { runOn, sql } from "../../src/storage/Sql.ts"
import { cliWith } from "../support/Cli.ts"
import {
  digestOf,
  fileOf,
  report,
  reports,
  sweep,
  textOf,
  withdraw,
  withReports
} from "../support/Reports.ts"
import { databaseOf, restore } from "../support/Restore.ts"
import { steppedClock } from "../support/SteppedClock.ts"
import { deserted } from "../support/Stub.ts"
import { storageIn } from "../support/TestStorage.ts"
import { keys, temporaryDirectory, World, worldIn } from "../support/World.ts"

/** A store of blobs that takes backups, for what no request reaches. */
const storeIn = (directory: string) =>
  Backups.layer.pipe(
    Layer.provideMerge(Blobs.layer),
    Layer.provideMerge(storageIn(directory)),
    Layer.provide([NodeContext.layer, Workers.layer])
  )

const inStore = (directory: string) => Effect.provide(storeIn(directory))

/** Texts of all kinds: none, some, and more than a piece. */
const texts = { empty: "", short: "A run brought this forth.", long: "0123456789abcdef".repeat(50_000) }

/** A board whose reports have these texts, and no server. */
const boardOf = (all: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    yield* addTo(directory, all)
    return directory
  })

const addTo = (directory: string, all: Readonly<Record<string, string>>) =>
  Effect.zipRight(
    withReports,
    Effect.forEach(Object.entries(all), ([id, text]) => report(id, text))
  ).pipe(inStore(directory))

/** The command on the machine of a server that does not run. */
const command = (directory: string, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(deserted, (url) =>
    cliWith({ SERVICE_API_URL: url, SERVICE_API_KEY: keys.admin, SERVICE_DATA_DIR: directory }, ...args)
  )

/** A backup of a board whose server does not run, which must succeed. */
const backupOf = (directory: string) =>
  Effect.gen(function* () {
    const file = join(yield* temporaryDirectory, "backup.db")
    const ran = yield* command(directory, "backup", file)
    assert.strictEqual(ran.exitCode, 0, ran.stderr)
    return file
  })

const edit = (file: string, statement: ReturnType<typeof sql>) =>
  Effect.scoped(Effect.flatMap(openPlain(file), (connection) => runOn(connection, statement)))

const hasNoBytes = (database: string) =>
  Effect.map(edit(database, sql`SELECT name FROM sqlite_master WHERE name LIKE 'parcel%'`), (found) =>
    assert.deepStrictEqual(found, [])
  )

describe("a backup of a board with blobs", () => {
  it.scopedLive("is one file that has their bytes in pieces, and a restore elsewhere brings them back", () =>
    Effect.gen(function* () {
      const directory = yield* boardOf(texts)
      const file = join(yield* temporaryDirectory, "backup.db")
      const ran = yield* Effect.gen(function* () {
        const { baseUrl } = yield* World
        return yield* cliWith(
          { SERVICE_API_URL: baseUrl, SERVICE_API_KEY: keys.admin, SERVICE_DATA_DIR: directory },
          "backup",
          file,
          "--json"
        )
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      assert.strictEqual(ran.exitCode, 0, ran.stderr)
      assert.notProperty(ran.json(), "lostBlobs")
      assert.deepStrictEqual(
        yield* edit(
          file,
          sql`SELECT COUNT(*) AS pieces, MAX(length(bytes)) AS longest, SUM(length(bytes)) AS bytes FROM parcel_pieces`
        ),
        [{ pieces: 5, longest: 262_144, bytes: texts.short.length + texts.long.length }]
      )
      const elsewhere = join(yield* temporaryDirectory, "data")
      const restored = yield* command(elsewhere, "restore", file)
      assert.strictEqual(restored.exitCode, 0, restored.stderr)
      yield* hasNoBytes(databaseOf(elsewhere))
      assert.isBelow(statSync(databaseOf(elsewhere)).size, statSync(file).size - texts.long.length)
      assert.strictEqual(statSync(databaseOf(elsewhere)).mode & 0o777, 0o600)
      assert.deepStrictEqual(yield* reports.pipe(inStore(elsewhere)), texts)
    })
  )

  it.scopedLive("that has none is the database and nothing more", () =>
    Effect.gen(function* () {
      const directory = yield* boardOf({})
      const file = yield* backupOf(directory)
      yield* hasNoBytes(file)
      yield* restore(file, directory)
      assert.deepStrictEqual(yield* reports.pipe(inStore(directory)), {})
    })
  )

  it.scopedLive("holds the text of each report that it knows, however reports come, go and are swept", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const directory = yield* boardOf({})
      const target = yield* temporaryDirectory
      yield* Effect.gen(function* () {
        const { take } = yield* Backups
        const busy = (number: number) =>
          Effect.gen(function* () {
            for (let round = 0; ; round++) {
              yield* report(`report ${number}`, `text ${number} ${round}`.repeat(20_000))
              yield* clock.step(3_600_010)
              yield* withdraw(`report ${number}`)
              yield* sweep
            }
          })
        const writers = yield* Effect.fork(
          Effect.all(Arr.makeBy(4, busy), { concurrency: "unbounded", discard: true })
        )
        yield* Effect.forEach(Arr.range(1, 12), (round) =>
          Effect.scoped(
            Effect.gen(function* () {
              const { content } = yield* take(system)
              const pieces = yield* Stream.runCollect(Stream.orDie(content))
              writeFileSync(join(target, `${round}.db`), Buffer.concat([...pieces]))
            })
          )
        )
        yield* Fiber.interrupt(writers)
      }).pipe(inStore(directory))
      for (const round of Arr.range(1, 12)) {
        const file = join(target, `${round}.db`)
        assert.deepStrictEqual((yield* verify(file, file)).lostBlobs, [])
        const elsewhere = join(target, `${round}`)
        yield* restore(file, elsewhere)
        yield* reports.pipe(inStore(elsewhere))
      }
    }).pipe(Effect.provide(clock.layer))
  })

  it.scopedLive(
    "names those that were damaged and saves the others; so does the restore, unless they are there again",
    () =>
      Effect.gen(function* () {
        const directory = yield* boardOf({ a: "whole", b: "changed", c: "gone" })
        const whole = yield* backupOf(directory)
        const [changed, gone] = [digestOf("changed"), digestOf("gone")]
        writeFileSync(fileOf(directory, changed), "chang3d, and longer than before")
        rmSync(fileOf(directory, gone))
        const lost = [
          { digest: changed, finding: "changed" },
          { digest: gone, finding: "missing" }
        ].sort((one, other) => (one.digest < other.digest ? -1 : 1))
        const target = yield* temporaryDirectory
        const file = join(target, "backup.db")
        const told = yield* command(directory, "backup", join(target, "told.db"))
        assert.strictEqual(told.exitCode, 1)
        for (const { digest, finding } of lost) assert.include(told.stdout, `${digest} (${finding})`)
        const ran = yield* command(directory, "backup", file, "--json")
        assert.strictEqual(ran.exitCode, 1)
        assert.deepStrictEqual(ran.json().lostBlobs, lost)
        const elsewhere = join(target, "data")
        const restored = yield* command(elsewhere, "restore", file, "--json")
        assert.strictEqual(restored.exitCode, 0, restored.stderr)
        assert.deepStrictEqual(restored.json().lostBlobs, lost)
        yield* Effect.gen(function* () {
          for (const { digest } of lost) {
            assert.strictEqual((yield* Effect.flip(textOf(digest)))._tag, "BlobDamaged")
          }
        }).pipe(inStore(elsewhere))
        const again = yield* boardOf({ x: "changed", y: "gone" })
        const healed = yield* restore(file, again)
        assert.isUndefined(healed.lostBlobs)
        assert.deepStrictEqual(yield* reports.pipe(inStore(again)), { a: "whole", b: "changed", c: "gone" })
        yield* restore(whole, directory)
        assert.deepStrictEqual(yield* reports.pipe(inStore(directory)), {
          a: "whole",
          b: "changed",
          c: "gone"
        })
      })
  )

  it.scopedLive("whose bytes were changed since is refused by their names, and changes nothing", () =>
    Effect.gen(function* () {
      const directory = yield* boardOf({ a: "as it was" })
      const damages = [
        sql`UPDATE parcel_pieces SET bytes = ${Buffer.from("as it is!")}`,
        sql`DELETE FROM parcel_pieces`,
        sql`DELETE FROM parcel_blobs`
      ]
      const before = readdirSync(directory, { recursive: true }).sort()
      for (const damage of damages) {
        const file = yield* backupOf(directory)
        yield* edit(file, damage)
        const ran = yield* command(directory, "restore", file)
        assert.strictEqual(ran.exitCode, 2)
        assert.include(ran.stderr, digestOf("as it was"))
        assert.deepStrictEqual(readdirSync(directory, { recursive: true }).sort(), before)
      }
    })
  )

  it.scopedLive("is refused before it is begun where the disk has no room for it", () =>
    Effect.gen(function* () {
      const directory = yield* boardOf({ a: "small" })
      const small = yield* backupOf(directory)
      yield* edit(databaseOf(directory), sql`UPDATE blobs SET size_bytes = 1000000000000000`)
      const target = yield* temporaryDirectory
      const stopped = yield* command(directory, "backup", join(target, "backup.db"))
      assert.strictEqual(stopped.exitCode, 2)
      assert.match(stopped.stderr, /no room in .*: 1000000000\.\d MB are needed, and \d+\.\d MB are free/)
      assert.deepStrictEqual(readdirSync(target), [])
      yield* Effect.gen(function* () {
        const { request } = yield* World
        const { body, status } = yield* request("POST", "/api/maintenance/backup", { as: "admin" })
        assert.strictEqual(status, 503)
        assert.include(body.error, "as much free space as the database and its blobs take")
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      yield* edit(small, sql`UPDATE blobs SET size_bytes = 1000000000000000`)
      const elsewhere = yield* temporaryDirectory
      const ran = yield* command(elsewhere, "restore", small)
      assert.strictEqual(ran.exitCode, 2)
      assert.match(ran.stderr, /no room in/)
      assert.isFalse(existsSync(databaseOf(elsewhere)))
    })
  )
})

describe("a restore over a board with other blobs", () => {
  it.scopedLive(
    "keeps those with the board that was there before, past the sweep, and brings that back too",
    () => {
      const clock = steppedClock()
      return Effect.gen(function* () {
        const file = yield* backupOf(yield* boardOf({ new: "brought", both: "shared" }))
        const directory = yield* boardOf({ old: "replaced", both: "shared" })
        const { keptAs = "" } = yield* restore(file, directory)
        const sweepAll = Effect.zipRight(clock.step(3_600_010), sweep)
        yield* Effect.gen(function* () {
          assert.strictEqual(yield* sweepAll, 1)
          assert.deepStrictEqual(yield* reports, { new: "brought", both: "shared" })
        }).pipe(inStore(directory))
        assert.isFalse(existsSync(fileOf(directory, digestOf("replaced"))))
        yield* restore(keptAs, directory)
        assert.deepStrictEqual(yield* reports.pipe(inStore(directory)), { old: "replaced", both: "shared" })
      }).pipe(Effect.provide(clock.layer))
    }
  )

  it.scopedLive(
    "of which the file alone was moved away says which bytes are missing, and where they were",
    () =>
      Effect.gen(function* () {
        const file = yield* backupOf(yield* boardOf({}))
        const directory = yield* boardOf({ a: "here", b: "there" })
        const { keptAs = "" } = yield* restore(file, directory)
        const target = yield* temporaryDirectory
        const moved = join(target, "moved.db")
        renameSync(keptAs, moved)
        const elsewhere = join(target, "data")
        const ran = yield* command(elsewhere, "restore", moved)
        assert.strictEqual(ran.exitCode, 2)
        assert.match(ran.stderr, /sha256:[0-9a-f]{64} and of 1 more are neither in .*moved\.db-blobs nor/)
        assert.isFalse(existsSync(databaseOf(elsewhere)))
        renameSync(`${keptAs}-blobs`, `${moved}-blobs`)
        yield* restore(moved, elsewhere)
        assert.deepStrictEqual(yield* reports.pipe(inStore(elsewhere)), { a: "here", b: "there" })
      })
  )

  it.scopedLive("that is damaged keeps all of its files", () =>
    Effect.gen(function* () {
      const file = yield* backupOf(yield* boardOf({}))
      const directory = yield* boardOf({ a: "kept" })
      writeFileSync(databaseOf(directory), "x".repeat(8_192))
      const { keptAs = "" } = yield* restore(file, directory)
      const [folder = ""] = readdirSync(`${keptAs}-blobs`)
      const [name = ""] = readdirSync(join(`${keptAs}-blobs`, folder))
      assert.strictEqual(readFileSync(join(`${keptAs}-blobs`, folder, name), "utf8"), "kept")
    })
  )
})
