import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Cause, Data, Deferred, Effect, Exit, Fiber } from "effect"
import { leavesBehind } from "../../src/kernel/Refusal.ts"
import { StorageOverloaded } from "../../src/storage/Committer.ts"
import { firstRow, moves, rows, run, SqlDefect, sql, UnitIsOver } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { storage } from "../support/TestStorage.ts"

class Refused extends Data.TaggedError("Refused") {}

const note = (text: string) =>
  Effect.zipRight(moves("notes"), run(sql`INSERT INTO notes (text) VALUES (${text})`))

/** A table to write into, beside those of the product. */
const withNotes = Effect.gen(function* () {
  const { write } = yield* Storage
  yield* write(run(sql`CREATE TABLE notes (text TEXT NOT NULL)`))
})

const notes = Effect.gen(function* () {
  const { select } = yield* Storage
  const found = yield* select<{ text: string }>(sql`SELECT text FROM notes ORDER BY rowid`)
  return found.map(({ text }) => text)
})

/** Counts the commits that move the notes, from here on. */
const countCommits = Effect.gen(function* () {
  const { onMove } = yield* Storage
  let commits = 0
  yield* onMove(["notes"], () => {
    commits += 1
  })
  return () => commits
})

/** A refusal that leaves something behind. */
class RefusedForNow extends Data.TaggedError("RefusedForNow") {
  readonly [leavesBehind] = true
}

const inParallel = { concurrency: "unbounded" } as const

const defectOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isFailure(exit) ? [...Cause.defects(exit.cause)][0] : undefined

describe("a unit of work", () => {
  it.scopedLive("shares its commit with all that are written in the same turn, in their order", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* withNotes
      const commits = yield* countCommits
      const texts = Arr.makeBy(100, String)
      yield* Effect.forEach(texts, (text) => write(note(text)), inParallel)
      assert.strictEqual(commits(), 1)
      assert.deepStrictEqual(yield* notes, texts)
      // One transaction takes 128 units, so that reads and sockets have their turn in between.
      yield* Effect.forEach(Arr.range(1, 300), (number) => write(note(`more ${number}`)), inParallel)
      assert.strictEqual(commits(), 4)
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("is seen by readers only when it is committed, and then at once", () =>
    Effect.gen(function* () {
      const { select, write } = yield* Storage
      yield* withNotes
      const count = select<{ n: number }>(sql`SELECT COUNT(*) AS n FROM notes`)
      const during = yield* write(
        Effect.gen(function* () {
          yield* note("new")
          // The unit sees its own row; the reading connection does not.
          const own = yield* firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM notes`)
          return { own: own?.n, others: (yield* count)[0]?.n }
        })
      )
      assert.deepStrictEqual(during, { own: 1, others: 0 })
      assert.deepStrictEqual(yield* count, [{ n: 1 }])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("that fails is rolled back alone and fails with its own error", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* withNotes
      const [, failed] = yield* Effect.all(
        [
          write(note("before")),
          Effect.exit(write(Effect.zipRight(note("wrong"), new Refused()))),
          write(note("after"))
        ],
        inParallel
      )
      assert.deepStrictEqual(failed, Exit.fail(new Refused()))
      assert.deepStrictEqual(yield* notes, ["before", "after"])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("that dies is rolled back alone, whether its code throws or its statement is refused", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* withNotes
      const thrown = new Error("a mistake")
      const throws = Effect.sync(() => {
        throw thrown
      })
      const refused = run(sql`INSERT INTO notes (text) VALUES (${null})`)
      const exits = yield* Effect.forEach(
        [
          note("before"),
          Effect.zipRight(note("thrown"), throws),
          Effect.zipRight(note("refused"), refused),
          note("after")
        ],
        (unit) => Effect.exit(write(unit)),
        inParallel
      )
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, false, true])
      assert.strictEqual(exits[1] && defectOf(exits[1]), thrown)
      const defect = exits[2] && defectOf(exits[2])
      assert.instanceOf(defect, SqlDefect)
      assert.strictEqual(defect.code, "SQLITE_CONSTRAINT_NOTNULL")
      assert.deepStrictEqual(yield* notes, ["before", "after"])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("that waits is rolled back and dies, and writes nothing later either", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* withNotes
      const gate = yield* Deferred.make<void>()
      const late = yield* Deferred.make<Exit.Exit<void>>()
      const waiting = Effect.gen(function* () {
        yield* note("first")
        yield* Deferred.await(gate)
        yield* Deferred.succeed(late, yield* Effect.exit(note("late")))
      })
      // Interruption must not be what protects the others: this unit can't be interrupted.
      const [exit] = yield* Effect.all(
        [Effect.exit(write(Effect.uninterruptible(waiting))), write(note("other"))],
        inParallel
      )
      assert.isTrue(Exit.isFailure(exit))
      // Its gate opens while another unit is under way.
      yield* write(Effect.zipRight(Deferred.succeed(gate, undefined), note("next")))
      assert.instanceOf(defectOf(yield* Deferred.await(late)), UnitIsOver)
      assert.deepStrictEqual(yield* notes, ["other", "next"])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive(
    "fails alone when it makes the COMMIT itself fail, and the next batch is none the wiser",
    () =>
      Effect.gen(function* () {
        const { write } = yield* Storage
        yield* withNotes
        yield* write(run(sql`CREATE TEMP TABLE parents (id INTEGER PRIMARY KEY)`))
        yield* write(
          run(
            sql`
            CREATE TEMP TABLE children (
              parent INTEGER NOT NULL REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED
            )`
          )
        )
        const orphan = run(sql`INSERT INTO children (parent) VALUES (1)`)
        const exits = yield* Effect.forEach(
          [note("before"), Effect.zipRight(note("guilty"), orphan), note("after")],
          (unit) => Effect.exit(write(unit)),
          inParallel
        )
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, true])
        const defect = exits[1] && defectOf(exits[1])
        assert.instanceOf(defect, SqlDefect)
        assert.strictEqual(defect.code, "SQLITE_CONSTRAINT_FOREIGNKEY")
        assert.deepStrictEqual(yield* notes, ["before", "after"])
        const children = yield* write(rows(sql`SELECT parent FROM children`))
        assert.deepStrictEqual(children, [])
        // Alone it fails as well, without a batch around it.
        assert.isTrue(Exit.isFailure(yield* Effect.exit(write(Effect.zipRight(note("guilty"), orphan)))))
        yield* Effect.forEach(["next", "one more"], (text) => write(note(text)), inParallel)
        assert.deepStrictEqual(yield* notes, ["before", "after", "next", "one more"])
      }).pipe(Effect.provide(storage))
  )

  it.scopedLive("fails alone when the disk is full for it, and whatever was answered is there once", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* withNotes
      const pages = yield* write(firstRow<{ page_count: number }>(sql`PRAGMA page_count`))
      const limitPages = (count: number) =>
        write(run((compose) => compose`PRAGMA max_page_count = ${compose.literal(String(count))}`))
      yield* limitPages((pages?.page_count ?? 0) + 10)
      const large = (text: string) => text.repeat(20_000)
      const exits = yield* Effect.forEach(
        ["small 1", large("a"), "small 2", large("b"), large("c"), "small 3"],
        (text) => Effect.map(Effect.exit(write(note(text))), (exit) => ({ text, exit })),
        inParallel
      )
      const failed = exits.filter(({ exit }) => Exit.isFailure(exit))
      assert.isNotEmpty(failed)
      for (const { exit } of failed) {
        const defect = defectOf(exit)
        assert.instanceOf(defect, SqlDefect)
        assert.strictEqual(defect.code, "SQLITE_FULL")
      }
      const answered = exits.flatMap(({ exit, text }) => (Exit.isSuccess(exit) ? [text.slice(0, 9)] : []))
      const kept = Effect.map(notes, (texts) => texts.map((text) => text.slice(0, 9)))
      assert.sameMembers([...(yield* kept)], answered)
      yield* limitPages(1_000_000)
      yield* write(note("room"))
      assert.sameMembers([...(yield* kept)], [...answered, "room"])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("never runs when its caller is interrupted while it waits", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* withNotes
      let asked = false
      let ran = false
      const unit = Effect.zipRight(
        Effect.sync(() => {
          ran = true
        }),
        note("interrupted")
      )
      const fiber = yield* Effect.fork(
        Effect.zipRight(
          Effect.sync(() => {
            asked = true
          }),
          write(unit)
        )
      )
      yield* Effect.yieldNow()
      assert.isTrue(asked, "the unit is in the queue")
      yield* Fiber.interrupt(fiber)
      yield* write(note("next"))
      assert.isFalse(ran)
      assert.deepStrictEqual(yield* notes, ["next"])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("is refused when ten thousand others wait for the disk already", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      const exits = yield* Effect.forEach(
        Arr.range(1, 10_050),
        () => Effect.exit(write(Effect.void)),
        inParallel
      )
      const refused = exits.filter(Exit.isFailure)
      assert.strictEqual(refused.length, 50)
      for (const exit of refused) assert.instanceOf(defectOf(exit), StorageOverloaded)
      yield* write(Effect.void)
    }).pipe(Effect.provide(storage))
  )
})

describe("the store", () => {
  it.scopedLive("writes in WAL with synchronous=FULL and with foreign keys", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      const pragmas = yield* write(
        Effect.all([
          firstRow(sql`PRAGMA journal_mode`),
          firstRow(sql`PRAGMA synchronous`),
          firstRow(sql`PRAGMA foreign_keys`)
        ])
      )
      assert.deepStrictEqual(pragmas, [{ journal_mode: "wal" }, { synchronous: 2 }, { foreign_keys: 1 }])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("has nothing to write with in a read", () =>
    Effect.gen(function* () {
      const { read } = yield* Storage
      yield* withNotes
      const defect = defectOf(yield* Effect.exit(read(note("sneaked in"))))
      assert.instanceOf(defect, SqlDefect)
      assert.strictEqual(defect.code, "SQLITE_READONLY")
      assert.deepStrictEqual(yield* notes, [])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("wakes those who wait for a stream that it moved, and nobody else", () =>
    Effect.gen(function* () {
      const { onMove, write } = yield* Storage
      yield* withNotes
      const heard: Array<string> = []
      yield* onMove(["notes"], () => heard.push("notes"))
      yield* onMove(["letters", "parcels"], () => heard.push("post"))
      yield* write(note("one"))
      yield* write(run(sql`INSERT INTO notes (text) VALUES ('silent')`))
      yield* Effect.flip(write(Effect.zipRight(note("taken back"), Effect.fail("refused"))))
      yield* write(Effect.zipRight(moves("parcels", "letters"), note("two")))
      assert.sameMembers(heard, ["notes", "notes", "post"])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("that is refused is taken back, but for a refusal that leaves something behind", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* withNotes
      const commits = yield* countCommits
      const refused = <E>(text: string, refusal: E) =>
        Effect.flip(write(Effect.zipRight(note(text), Effect.fail(refusal))))
      const told = yield* Effect.all(
        [refused("taken back", new Refused()), refused("left behind", new RefusedForNow())],
        inParallel
      )
      assert.deepStrictEqual(
        told.map(({ _tag }) => _tag),
        ["Refused", "RefusedForNow"]
      )
      assert.deepStrictEqual(yield* notes, ["left behind"])
      assert.strictEqual(commits(), 1)
    }).pipe(Effect.provide(storage))
  )
})
