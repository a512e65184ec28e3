import { chmodSync, linkSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { codeOf, isFull, reasonOf } from "../../src/kernel/FileTrouble.ts"
import { refusalOf } from "../../src/StartRefusal.ts"
import * as Damage from "../../src/storage/place/Damage.ts"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage, type StorageOptions } from "../../src/storage/Storage.ts"
import * as Process from "../support/Process.ts"
import { copyOf, databaseOf, restore } from "../support/Restore.ts"
import { storageIn } from "../support/TestStorage.ts"
import { temporaryDirectory } from "../support/World.ts"

const open = (options: StorageOptions) =>
  Layer.build(Layer.provide(Storage.layerSqlite(options), NodeContext.layer))

/** What is said to a store that can't be opened. */
const refusal = (options: StorageOptions) =>
  Effect.map(Effect.scoped(Effect.exit(open(options))), (exit) =>
    Exit.isFailure(exit) ? (refusalOf(exit.cause) ?? Cause.pretty(exit.cause)) : "it was opened"
  )

const modeOf = (file: string): number => statSync(file).mode & 0o777

describe("one database", () => {
  it.scopedLive("belongs to one data directory, by whatever name another one calls it", () =>
    Effect.gen(function* () {
      const first = yield* temporaryDirectory
      const links = yield* temporaryDirectory
      const file = databaseOf(first)
      const names = {
        path: file,
        relative: relative(process.cwd(), file),
        "symbolic link": join(links, "link.db"),
        "link to a link": join(links, "again.db"),
        "directory that is a link": join(links, "there", "muster.db"),
        "hard link": join(links, "hard.db")
      }
      yield* open({ directory: first })
      symlinkSync(file, names["symbolic link"])
      symlinkSync("link.db", names["link to a link"])
      symlinkSync(first, join(links, "there"))
      for (const [what, filename] of Object.entries(names)) {
        if (what === "hard link") linkSync(file, filename)
        const said = yield* refusal({ directory: yield* temporaryDirectory, filename })
        assert.include(said, "SERVICE_SQLITE_PATH", what)
        assert.match(said, what === "hard link" ? /second name, a hard link/ : /in use by process \d+/, what)
      }
      const journals = readdirSync(links).filter((name) => /-(wal|shm|journal)$/.test(name))
      assert.deepStrictEqual(journals, [], "SQLite was let at it by another name")
    })
  )

  it.scopedLive("outside of both data directories belongs to the first, and is free after it", () =>
    Effect.gen(function* () {
      const elsewhere = join(yield* temporaryDirectory, "new", "board.db")
      const [first, second] = [yield* temporaryDirectory, yield* temporaryDirectory]
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* open({ directory: first, filename: elsewhere })
          assert.match(
            yield* refusal({ directory: second, filename: elsewhere }),
            /board\.db is in use by process/
          )
        })
      )
      yield* open({ directory: second, filename: elsewhere })
      assert.strictEqual(modeOf(dirname(elsewhere)), 0o700)
    })
  )

  it.scopedLive("is for its owner alone, wherever it lies and whoever could read it before", () =>
    Effect.gen(function* () {
      const elsewhere = yield* temporaryDirectory
      const directory = join(yield* temporaryDirectory, "made", "data")
      const file = join(elsewhere, "board.db")
      const write = Effect.flatMap(Storage, ({ write }) => write(run(sql`DELETE FROM idempotency`)))
      const opened = Effect.provide(
        write,
        Layer.provide(Storage.layerSqlite({ directory, filename: file }), NodeContext.layer)
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const context = yield* open({ directory, filename: file })
          yield* Effect.provide(write, context)
          for (const name of ["board.db", "board.db-wal", "board.db-shm"]) {
            assert.strictEqual(modeOf(join(elsewhere, name)), 0o600, name)
          }
        })
      )
      assert.strictEqual(modeOf(directory), 0o700)
      const kept = `${file}.before-restore-2026-11-21T07-20-12-599Z`
      writeFileSync(kept, "an older board")
      for (const wide of [file, kept]) chmodSync(wide, 0o644)
      yield* opened
      for (const closed of [file, kept]) assert.strictEqual(modeOf(closed), 0o600, closed)
    })
  )

  it.scopedLive("that a restore brings back is for its owner alone, and so is the one before it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.scoped(Layer.build(storageIn(directory)))
      const copy = yield* copyOf(directory)
      for (const wide of [copy, databaseOf(directory)]) chmodSync(wide, 0o644)
      const { keptAs = "" } = yield* restore(copy, directory)
      for (const closed of [databaseOf(directory), keptAs]) assert.strictEqual(modeOf(closed), 0o600)
    })
  )

  it.scopedLive("is opened after a restore that was killed half-way, and its leftovers are gone", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.scoped(Layer.build(storageIn(directory)))
      // Ten of them, as nobody says in which order a directory is read.
      for (let second = 10; second < 20; second++) {
        const kept = `${databaseOf(directory)}.before-restore-2026-11-21T07-20-${second}-599Z`
        linkSync(databaseOf(directory), kept)
        mkdirSync(`${kept}-blobs/ab`, { recursive: true })
      }
      writeFileSync(`${databaseOf(directory)}.restoring`, "half")
      yield* Effect.scoped(Layer.build(storageIn(directory)))
      assert.deepStrictEqual(
        readdirSync(directory).filter((name) => /restor/.test(name)),
        []
      )
    })
  )
})

describe("a place that can't be worked in", () => {
  it.scopedLive("is named with its variable and the way out", () =>
    Effect.gen(function* () {
      const there = yield* temporaryDirectory
      const file = join(there, "file")
      writeFileSync(file, "mine")
      const data = { directory: join(there, "data") }
      const places: ReadonlyArray<readonly [StorageOptions, string, RegExp]> = [
        [{ directory: file }, "SERVICE_DATA_DIR", /a file stands where a directory should be/],
        [{ directory: join(file, "data") }, "SERVICE_DATA_DIR", /a file stands where a directory should be/],
        [{ directory: join(there, "x".repeat(300)) }, "SERVICE_DATA_DIR", /its name is too long/],
        [{ ...data, filename: there }, "SERVICE_SQLITE_PATH", /it is no file/],
        [{ ...data, filename: join(file, "board.db") }, "SERVICE_SQLITE_PATH", /a file stands where/],
        [
          { ...data, filename: join(there, `${"x".repeat(300)}.db`) },
          "SERVICE_SQLITE_PATH",
          /name is too long/
        ]
      ]
      for (const [options, variable, reason] of places) {
        const said = yield* refusal(options)
        assert.match(said, new RegExp(`^${variable}: can't work with `))
        assert.match(said, reason)
        assert.match(said, /Set SERVICE_/)
        assert.notInclude(said, "\n")
      }
    })
  )

  it.scopedLive("because it belongs to somebody else ends the start in a paragraph", () =>
    Effect.gen(function* () {
      const there = yield* temporaryDirectory
      const closed = join(there, "closed")
      mkdirSync(closed, { mode: 0o555 })
      for (const path of [there, closed]) chmodSync(path, 0o555)
      // Root may write everywhere: it runs the server as somebody who may not.
      const spawning = process.getuid?.() === 0 ? { uid: 65_534 } : {}
      for (const directory of [closed, join(closed, "data")]) {
        const { code, output } = yield* Process.run(
          { ...Process.testKeys, SERVICE_DATA_DIR: directory },
          spawning
        )
        assert.strictEqual(code, 1)
        assert.match(
          output,
          /^muster: SERVICE_DATA_DIR: can't work with .*: this user may not use it\. Set SERVICE_DATA_DIR/m
        )
        assert.notInclude(output, "    at ")
      }
      yield* Effect.sync(() => chmodSync(there, 0o755))
    })
  )

  it("is told of in words, whichever of them the system uses", () => {
    const failed = (code: string) => Object.assign(new Error("secret"), { code })
    assert.strictEqual(codeOf(new Error("outer", { cause: failed("ENOSPC") })), "ENOSPC")
    assert.isUndefined(codeOf(new Error("no code")))
    assert.isUndefined(codeOf("text"))
    assert.strictEqual(reasonOf(failed("ENOSPC")), "the disk is full")
    assert.strictEqual(reasonOf(failed("EROFS")), "it lies on a read-only file system")
    assert.strictEqual(reasonOf(failed("EWHATEVER")), "the system refuses it (EWHATEVER)")
    assert.isTrue(isFull({ cause: failed("EDQUOT") }))
    assert.isFalse(isFull(failed("EIO")))
    const told = (code: string) => Damage.refusalOf("/data/muster.db", failed(code))?.message ?? "nothing"
    assert.match(told("SQLITE_FULL"), /muster\.db can't be opened: the disk is full/)
    assert.match(told("SQLITE_READONLY_DIRECTORY"), /mounted read-only/)
    assert.match(told("SQLITE_IOERR_WRITE"), /the disk does not answer/)
    assert.match(told("SQLITE_BUSY"), /another program holds it/)
    assert.match(told("SQLITE_CORRUPT_INDEX"), /is damaged/)
    assert.strictEqual(told("SQLITE_CONSTRAINT"), "nothing")
  })
})
