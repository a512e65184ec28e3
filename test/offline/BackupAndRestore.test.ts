import { existsSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Ref, Schedule } from "effect"
import { openPlain } from "../../src/storage/Connection.ts"
import { knownSchema } from "../../src/storage/Migrations.ts"
import { runOn, sql } from "../../src/storage/Sql.ts"
import { type AuditRow, brokenLink, selectAudit } from "../support/Audit.ts"
import { cliAs, cliWith } from "../support/Cli.ts"
import * as Process from "../support/Process.ts"
import { deserted } from "../support/Stub.ts"
import { readDatabase } from "../support/TestStorage.ts"
import { keys, send, temporaryDirectory, World, world, worldIn } from "../support/World.ts"

/** The command on the machine of a server that keeps its board in a directory. */
const commandAt = (directory: string, url: string, ...args: ReadonlyArray<string>) =>
  cliWith({ SERVICE_API_URL: url, SERVICE_API_KEY: keys.admin, SERVICE_DATA_DIR: directory }, ...args)

const createTask = (title: string) =>
  Effect.flatMap(World, ({ request }) => request("POST", "/api/tasks", { body: { title } }))

/** Makes a board with one task, stops its server, and gives a backup of it. */
const stoppedBoard = (directory: string, title: string) =>
  Effect.gen(function* () {
    const file = join(yield* temporaryDirectory, "backup.db")
    yield* Effect.gen(function* () {
      yield* createTask(title)
      const ran = yield* cliAs("admin", "backup", file)
      assert.strictEqual(ran.exitCode, 0, ran.stderr)
    }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
    return file
  })

/** Asks for a backup, and goes away with the first bytes of it. */
const giveUp = async (baseUrl: string) => {
  const stop = new AbortController()
  const response = await fetch(`${baseUrl}/api/maintenance/backup`, {
    method: "POST",
    headers: { "x-api-key": keys.admin },
    signal: stop.signal
  })
  await response.body?.getReader().read()
  stop.abort()
}

/** Waits until the copy that was sent is gone: the server removes it when the connection is done with it. */
const untilGone = (directory: string) =>
  Effect.sync(() => readdirSync(directory).some((name) => name.endsWith(".partial"))).pipe(
    Effect.repeat({ while: (there) => there, schedule: Schedule.spaced("5 millis") })
  )

const titles = (directory: string) =>
  Effect.map(
    readDatabase<{ title: string }>(directory, sql`SELECT title FROM tasks ORDER BY title`),
    (rows) => rows.map(({ title }) => title)
  )

describe("a backup", () => {
  it.scopedLive("of a server that is written to all the while is whole, and holds up nobody", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const target = yield* temporaryDirectory
      const { baseUrl } = yield* Process.start(directory)
      const stop = yield* Ref.make(false)
      const writes = yield* Ref.make(0)
      const write: Effect.Effect<void> = Effect.gen(function* () {
        const { status } = yield* send(baseUrl, "POST", "/api/tasks", {
          body: { title: "Under way", description: "x".repeat(5_000) }
        })
        assert.strictEqual(status, 201)
        yield* Ref.update(writes, (count) => count + 1)
      })
      const writers = yield* Effect.fork(
        Effect.all(
          Array.from({ length: 8 }, () => Effect.repeat(write, { until: () => Ref.get(stop) })),
          { concurrency: "unbounded" }
        )
      )
      while ((yield* Ref.get(writes)) < 200) yield* Effect.sleep(5)
      for (const round of [1, 2, 3]) {
        const before = yield* Ref.get(writes)
        const file = join(target, `backup-${round}.db`)
        const ran = yield* commandAt(directory, baseUrl, "backup", file, "--json")
        assert.strictEqual(ran.exitCode, 0, ran.stderr + ran.stdout)
        assert.deepInclude(ran.json(), { file, schema: knownSchema, server: "running" })
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        const after = yield* Ref.get(writes)
        assert.isAbove(after, before, "nobody could write while the backup was taken")
        const rows = yield* Effect.scoped(
          Effect.gen(function* () {
            const connection = yield* openPlain(file)
            const trail = yield* runOn<AuditRow>(connection, selectAudit)
            assert.isUndefined(brokenLink(trail))
            return yield* runOn<{ tasks: number; events: number }>(
              connection,
              sql`SELECT (SELECT COUNT(*) FROM tasks) AS tasks,
                (SELECT COUNT(*) FROM outbox WHERE kind = 'task.created') AS events`
            )
          })
        )
        const tasks = rows[0]?.tasks ?? 0
        assert.strictEqual(rows[0]?.events, tasks)
        assert.isAtLeast(tasks, before)
        assert.isAtMost(tasks, after + 8)
      }
      yield* Ref.set(stop, true)
      yield* Fiber.join(writers)
      yield* untilGone(directory)
    })
  )

  it.scopedLive("is written where nothing is yet, by who may, and leaves nothing when it fails", () =>
    Effect.gen(function* () {
      const target = yield* temporaryDirectory
      const file = join(target, "backup.db")
      const agent = yield* cliAs("agent", "backup", file)
      assert.strictEqual(agent.exitCode, 3)
      assert.include(agent.stderr, "backup:write")
      writeFileSync(file, "mine")
      const taken = yield* cliAs("admin", "backup", file)
      assert.strictEqual(taken.exitCode, 2)
      assert.include(taken.stderr, "already exists")
      assert.strictEqual(readFileSync(file, "utf8"), "mine")
      const nowhere = yield* cliAs("admin", "backup", join(target, "nowhere", "backup.db"))
      assert.strictEqual(nowhere.exitCode, 2)
      assert.deepStrictEqual(readdirSync(target), ["backup.db"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("holds no key of the data directory, and is gone from it once it is sent", () =>
    Effect.gen(function* () {
      const { directory, request } = yield* World
      writeFileSync(join(directory, "admin-key"), "muster_the-generated-key\n", { mode: 0o600 })
      const { body, headers, status } = yield* request("POST", "/api/maintenance/backup", { as: "admin" })
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "application/vnd.sqlite3")
      assert.isTrue(body.startsWith("SQLite format 3"))
      assert.notInclude(body, "the-generated-key")
      yield* untilGone(directory)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("that nobody waits for any more leaves nothing behind", () =>
    Effect.gen(function* () {
      const { baseUrl, directory } = yield* World
      yield* Effect.promise(() => giveUp(baseUrl))
      yield* untilGone(directory)
      const again = yield* cliAs("admin", "backup", join(yield* temporaryDirectory, "backup.db"))
      assert.strictEqual(again.exitCode, 0, again.stderr)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("whose partial file vanishes meanwhile has one outcome: a whole board, or none", () =>
    Effect.gen(function* () {
      const { directory, request } = yield* World
      yield* createTask("Kept")
      const watcher = yield* Effect.acquireRelease(
        Effect.sync(() =>
          watch(directory, (_, name) => {
            if (name?.endsWith(".partial") === true) rmSync(join(directory, name), { force: true })
          })
        ),
        (watcher) => Effect.sync(() => watcher.close())
      )
      for (let round = 0; round < 5; round++) {
        const { body, headers, status } = yield* request("POST", "/api/maintenance/backup", { as: "admin" })
        if (status === 200) {
          assert.isTrue(String(body).startsWith("SQLite format 3"))
          assert.isAbove(Number(headers.get("content-length")), 4_096)
        } else {
          assert.strictEqual(status, 503)
          assert.strictEqual(body.code, "STORAGE_UNAVAILABLE")
        }
      }
      yield* Effect.sync(() => watcher.close())
      yield* untilGone(directory)
      const both = yield* Effect.all(
        [1, 2].map(() => request("POST", "/api/maintenance/backup", { as: "admin" })),
        { concurrency: "unbounded" }
      )
      for (const { status } of both) assert.include([200, 409], status)
      assert.include(
        both.map(({ status }) => status),
        200
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("that a crash left half-done in the data directory is gone after the next start", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const left = join(directory, "backup_5d8v0kq2m1x7c9zr.partial")
      const mine = join(directory, "mine.partial")
      writeFileSync(left, "half")
      writeFileSync(mine, "mine")
      yield* Effect.void.pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      assert.isFalse(existsSync(left))
      assert.isTrue(existsSync(mine))
    })
  )

  it.scopedLive("of a board whose server does not run is a copy of its file", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* createTask("Asleep").pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      const file = join(yield* temporaryDirectory, "backup.db")
      const ran = yield* commandAt(directory, yield* deserted, "backup", file, "--json")
      assert.strictEqual(ran.exitCode, 0, ran.stderr)
      assert.deepInclude(ran.json(), { server: "stopped" })
      const empty = yield* temporaryDirectory
      const none = yield* commandAt(empty, yield* deserted, "backup", `${file}.2`)
      assert.strictEqual(none.exitCode, 6)
      assert.deepStrictEqual(readdirSync(empty), [])
    })
  )
})

describe("a restore", () => {
  it.scopedLive(
    "brings the board back as it was, keeps the one before it, and leaves a link in the audit",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const file = yield* stoppedBoard(directory, "Before")
        yield* createTask("After").pipe(Effect.provide(worldIn(directory)), Effect.scoped)
        const ran = yield* commandAt(directory, yield* deserted, "restore", file, "--json")
        assert.strictEqual(ran.exitCode, 0, ran.stderr)
        const { database, keptAs, schema } = ran.json()
        assert.deepStrictEqual([database, schema], [join(directory, "muster.db"), knownSchema])
        assert.deepStrictEqual(yield* titles(directory), ["Before"])
        const kept = yield* Effect.scoped(
          Effect.flatMap(openPlain(keptAs), (connection) =>
            runOn(connection, sql`SELECT COUNT(*) AS n FROM tasks`)
          )
        )
        assert.deepStrictEqual(kept, [{ n: 2 }])
        yield* Effect.gen(function* () {
          const { status } = yield* createTask("Onwards")
          assert.strictEqual(status, 201)
        }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
        const trail = yield* readDatabase<AuditRow>(directory, selectAudit)
        assert.includeMembers(
          trail.map(({ action }) => action),
          ["board.restored"]
        )
        assert.isUndefined(brokenLink(trail))
      })
  )

  it.scopedLive("is refused while a server has the directory", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      const file = join(yield* temporaryDirectory, "backup.db")
      yield* cliAs("admin", "backup", file)
      yield* createTask("Still here")
      const ran = yield* cliAs("admin", "restore", file)
      assert.strictEqual(ran.exitCode, 5)
      assert.include(ran.stderr, "Stop the server first")
      assert.deepStrictEqual(yield* titles(directory), ["Still here"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("of what is no good backup changes nothing", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const target = yield* temporaryDirectory
      const file = yield* stoppedBoard(directory, "Safe")
      const edited = (name: string, statement: ReturnType<typeof sql>) =>
        Effect.gen(function* () {
          const copy = join(target, name)
          writeFileSync(copy, readFileSync(file))
          yield* Effect.scoped(Effect.flatMap(openPlain(copy), (connection) => runOn(connection, statement)))
          return copy
        })
      const text = join(target, "text.db")
      writeFileSync(
        text,
        "This is no database at all, though it is long enough to look like one. ".repeat(100)
      )
      const half = join(target, "half.db")
      const whole = readFileSync(file)
      writeFileSync(half, whole.subarray(0, Math.floor(whole.length / 2)))
      const wrong: ReadonlyArray<readonly [string, RegExp]> = [
        [join(target, "missing.db"), /no such file/],
        [text, /no SQLite database/],
        [half, /damaged|no SQLite database|no board/],
        [yield* edited("other.db", sql`DROP TABLE migrations`), /no board of Muster/],
        [
          yield* edited(
            "newer.db",
            sql`INSERT INTO migrations (migration_id, name) VALUES (9999, 'from_the_future')`
          ),
          /schema 9999/
        ]
      ]
      const before = readdirSync(directory).sort()
      for (const [backup, complaint] of wrong) {
        const ran = yield* commandAt(directory, yield* deserted, "restore", backup)
        assert.strictEqual(ran.exitCode, 2, backup)
        assert.match(ran.stderr, complaint)
        assert.deepStrictEqual(readdirSync(directory).sort(), before, backup)
      }
      assert.deepStrictEqual(yield* titles(directory), ["Safe"])
    })
  )

  it.scopedLive("replaces a board that is damaged, and keeps that with its journal", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = yield* stoppedBoard(directory, "Good")
      writeFileSync(join(directory, "muster.db"), "x".repeat(8_192))
      writeFileSync(join(directory, "muster.db-wal"), "y".repeat(64))
      const ran = yield* commandAt(directory, yield* deserted, "restore", file, "--json")
      assert.strictEqual(ran.exitCode, 0, ran.stderr)
      const { keptAs } = ran.json()
      assert.isTrue(readFileSync(keptAs, "utf8").startsWith("xxx"))
      assert.deepStrictEqual(yield* titles(directory), ["Good"])
      assert.isFalse(existsSync(join(directory, "muster.db.restoring")))
    })
  )

  it.scopedLive("makes a board where there was none, in a directory that somebody named", () =>
    Effect.gen(function* () {
      const file = yield* stoppedBoard(yield* temporaryDirectory, "Moved")
      const elsewhere = join(yield* temporaryDirectory, "new", "data")
      const ran = yield* commandAt(elsewhere, yield* deserted, "restore", file, "--json")
      assert.strictEqual(ran.exitCode, 0, ran.stderr)
      assert.notProperty(ran.json(), "keptAs")
      assert.deepStrictEqual(yield* titles(elsewhere), ["Moved"])
    })
  )
})
