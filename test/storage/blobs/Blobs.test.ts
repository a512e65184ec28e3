import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Data, Effect, Layer, Stream } from "effect"
import { Workers } from "../../../src/kernel/Worker.ts"
import { Blobs, BlobTooLarge } from "../../../src/storage/blobs/Blobs.ts"
import { firstRow, run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import * as Reports from "../../support/Reports.ts"
import { contentOf, digestOf, report, sweep, textOf, withdraw, withReports } from "../../support/Reports.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { storageIn } from "../../support/TestStorage.ts"
import { temporaryDirectory } from "../../support/World.ts"

class Refused extends Data.TaggedError("Refused") {}

const inParallel = { concurrency: "unbounded" } as const

const blobsIn = (directory: string) =>
  Blobs.layer.pipe(
    Layer.provideMerge(storageIn(directory)),
    Layer.provide([NodeContext.layer, Workers.layer])
  )

/** A store of its own, in which reports refer to blobs. */
const blobs = Layer.unwrapScoped(Effect.map(temporaryDirectory, blobsIn)).pipe(
  Layer.tap((context) => Effect.provide(withReports, context))
)

const rootOf = Effect.map(Storage, ({ directory }) => join(directory, "blobs"))

const fileOf = (digest: string) => Effect.map(Storage, ({ directory }) => Reports.fileOf(directory, digest))

/** And some milliseconds: file systems round. */
const anHour = 3_600_010

describe("a blob", () => {
  it.scopedLive("is kept once by its content, for its owner's eyes alone, and read as it was put", () =>
    Effect.gen(function* () {
      const digests = yield* Effect.forEach(
        Arr.range(1, 20),
        (number) => report(`report ${number}`, `text ${number % 2}`),
        inParallel
      )
      assert.deepStrictEqual([...new Set(digests)].sort(), [digestOf("text 0"), digestOf("text 1")].sort())
      assert.strictEqual(yield* textOf(digestOf("text 0")), "text 0")
      const file = yield* fileOf(digestOf("text 1"))
      assert.strictEqual(readFileSync(file, "utf8"), "text 1")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.deepStrictEqual(readdirSync(join(yield* rootOf, "incoming")), [])
    }).pipe(Effect.provide(blobs))
  )

  it.scopedLive("is read in parts, and tells how long it is as a whole", () =>
    Effect.gen(function* () {
      const digest = yield* report("a", "0123456789")
      const { open } = yield* Blobs
      assert.strictEqual((yield* open(digest, { offset: 4, length: 3 })).sizeBytes, 10)
      assert.strictEqual(yield* textOf(digest, { offset: 4, length: 3 }), "456")
      assert.strictEqual(yield* textOf(digest, { offset: 7 }), "789")
      assert.strictEqual(yield* textOf(digest, { offset: 10 }), "")
    }).pipe(Effect.provide(blobs))
  )

  it.scopedLive("that is too large, or breaks off, leaves nothing", () =>
    Effect.gen(function* () {
      const { put } = yield* Blobs
      const tooLarge = yield* Effect.flip(put(contentOf("x".repeat(1_001)), 1_000))
      assert.deepStrictEqual(tooLarge, new BlobTooLarge({ limitBytes: 1_000 }))
      const brokenOff = Stream.concat(contentOf("half"), Stream.fail(new Refused()))
      assert.instanceOf(yield* Effect.flip(put(brokenOff, 1_000)), Refused)
      assert.deepStrictEqual(readdirSync(yield* rootOf), ["incoming"])
      assert.deepStrictEqual(readdirSync(join(yield* rootOf, "incoming")), [])
      yield* put(contentOf("x".repeat(1_000)), 1_000)
    }).pipe(Effect.provide(blobs))
  )

  it.scopedLive("that can't be written says why", () =>
    Effect.gen(function* () {
      const { put } = yield* Blobs
      const root = yield* rootOf
      rmSync(join(root, "incoming"), { recursive: true })
      const refused = yield* Effect.flip(put(contentOf("text"), 1_000))
      assert.strictEqual(refused._tag, "BlobNotWritten")
    }).pipe(Effect.provide(blobs))
  )

  it.scopedLive(
    "that was damaged is never given, whether or not it was read before; putting it again heals it",
    () =>
      Effect.gen(function* () {
        const finding = (digest: string) => Effect.map(Effect.flip(textOf(digest)), ({ finding }) => finding)
        const digest = yield* report("a", "whole")
        const file = yield* fileOf(digest)
        writeFileSync(file, "whol3")
        assert.strictEqual(yield* finding(digest), "changed")
        yield* report("b", "whole")
        assert.strictEqual(yield* textOf(digest), "whole")
        writeFileSync(file, "who")
        assert.strictEqual(yield* finding(digest), "changed")
        rmSync(file)
        assert.strictEqual(yield* finding(digest), "missing")
        mkdirSync(file)
        assert.strictEqual(yield* finding(digest), "unreadable")
        assert.strictEqual(yield* finding("sha256:../../muster.db"), "missing")
      }).pipe(Effect.provide(blobs))
  )

  it.scopedLive("can't be referred to before it is noted, nor be lost while it is referred to", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      const refer = run(sql`INSERT INTO reports (id, digest) VALUES ('a', ${digestOf("text")})`)
      const cause = yield* Effect.flip(Effect.sandbox(write(refer)))
      assert.include(String(cause), "FOREIGN KEY constraint failed")
      const digest = yield* report("b", "text")
      const lost = yield* Effect.flip(
        Effect.sandbox(write(run(sql`DELETE FROM blobs WHERE digest = ${digest}`)))
      )
      assert.include(String(lost), "FOREIGN KEY constraint failed")
    }).pipe(Effect.provide(blobs))
  )

  it.scopedLive("is swept an hour after it was put, when no row refers to it any more", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const { write } = yield* Storage
      yield* write(run(sql`CREATE TABLE notes (digest TEXT NOT NULL REFERENCES blobs (digest))`))
      const [gone, noted, shared] = [
        yield* report("a", "gone"),
        yield* report("b", "noted"),
        yield* report("c", "shared")
      ]
      yield* report("d", "shared")
      yield* write(run(sql`INSERT INTO notes (digest) VALUES (${noted})`))
      yield* Effect.forEach(["a", "b", "c"], withdraw)
      assert.strictEqual(yield* sweep, 0)
      yield* clock.step(anHour)
      assert.strictEqual(yield* sweep, 1)
      assert.isFalse(existsSync(yield* fileOf(gone)))
      assert.strictEqual(yield* textOf(noted), "noted")
      assert.strictEqual(yield* textOf(shared), "shared")
      yield* withdraw("d")
      assert.strictEqual(yield* sweep, 1)
      assert.isFalse(existsSync(yield* fileOf(shared)))
      assert.strictEqual(yield* sweep, 0)
    }).pipe(Effect.provide([blobs, clock.layer]))
  })

  it.scopedLive(
    "is not swept while its scope is open, however long its row takes, nor when it was just put again",
    () => {
      const clock = steppedClock()
      return Effect.gen(function* () {
        const { put } = yield* Blobs
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* put(contentOf("slow"), 1_000)
            yield* Effect.scoped(put(contentOf("slow"), 1_000))
            yield* clock.step(anHour)
            assert.strictEqual(yield* sweep, 0)
          })
        )
        yield* Effect.scoped(put(contentOf("slow"), 1_000))
        assert.strictEqual(yield* sweep, 0)
        yield* clock.step(anHour)
        assert.strictEqual(yield* sweep, 1)
      }).pipe(Effect.provide([blobs, clock.layer]))
    }
  )

  it.scopedLive("is there whenever a row refers to it, however puts, withdrawals and sweeps meet", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const busy = (number: number) =>
        Effect.gen(function* () {
          const id = `report ${number}`
          for (let round = 0; round < 8; round++) {
            const text = `text ${(number + round) % 3}`
            yield* report(id, text)
            assert.strictEqual(yield* textOf(digestOf(text)), text)
            yield* clock.step(anHour)
            yield* sweep
            assert.strictEqual(yield* textOf(digestOf(text)), text)
            yield* withdraw(id)
          }
        })
      yield* Effect.all(Arr.makeBy(6, busy), inParallel)
      yield* clock.step(anHour)
      yield* sweep
      const { read: query } = yield* Storage
      assert.deepStrictEqual(yield* query(firstRow(sql`SELECT COUNT(*) AS n FROM blobs`)), { n: 0 })
      const root = yield* rootOf
      const folders = readdirSync(root).filter((name) => name !== "incoming")
      assert.deepStrictEqual(
        folders.flatMap((folder) => readdirSync(join(root, folder))),
        []
      )
    }).pipe(Effect.provide([blobs, clock.layer]))
  })

  it.scopedLive("survives a crash at every step, and what the crash left behind is taken away", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const root = join(directory, "blobs")
      const place = (text: string) => join(root, digestOf(text).slice(7, 9), digestOf(text).slice(7))
      const kept = yield* Effect.gen(function* () {
        const { write } = yield* Storage
        yield* withReports
        // The file was published and its unit never came.
        yield* Effect.scoped(Effect.flatMap(Blobs, ({ put }) => put(contentOf("no row"), 1_000)))
        // The sweep had removed the note and not yet the file.
        yield* report("a", "no note")
        yield* withdraw("a")
        yield* write(run(sql`DELETE FROM blobs`))
        return yield* report("b", "kept")
      }).pipe(Effect.provide(blobsIn(directory)))
      // The file was being written.
      writeFileSync(join(root, "incoming", "blob_half"), "hal")
      yield* clock.step(anHour)
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(readdirSync(join(root, "incoming")), [])
        assert.isTrue(existsSync(place("no row")) && existsSync(place("no note")))
        assert.strictEqual(yield* sweep, 2)
        assert.isFalse(existsSync(place("no row")) || existsSync(place("no note")))
        assert.strictEqual(yield* textOf(kept), "kept")
      }).pipe(Effect.provide(blobsIn(directory)))
    }).pipe(Effect.provide(clock.layer))
  })
})
