import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { judge } from "../../../src/insight/maintenance/FileWatch.ts"
import { refusalOf } from "../../../src/StartRefusal.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { bytesOf, overwrite, spoilTable } from "../../support/Damage.ts"
import * as Process from "../../support/Process.ts"
import { copyOf, databaseOf, restore } from "../../support/Restore.ts"
import { tamper } from "../../support/Tamper.ts"
import {
  type RequestOptions,
  send,
  temporaryDirectory,
  World,
  type WorldOptions,
  worldIn
} from "../../support/World.ts"

const ask = (method: string, path: string, options: RequestOptions = {}) =>
  Effect.flatMap(World, ({ request }) => request(method, path, { as: "admin", ...options }))

/** A board with a task, whose server does not run. */
const board = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const { body } = yield* ask("POST", "/api/tasks", { body: { title: "T" } }).pipe(
    Effect.provide(worldIn(directory)),
    Effect.scoped
  )
  return { directory, id: String(body.id) }
})

/** What a start says that is refused. */
const refusal = (directory: string, options: WorldOptions = {}) =>
  Effect.map(Effect.scoped(Effect.exit(Layer.build(worldIn(directory, options)))), (exit) =>
    Exit.isFailure(exit) ? refusalOf(exit.cause) : "it started"
  )

const damaged = {
  error:
    "The database is damaged, and nothing is written into it any more: stop the server and bring a backup back with muster restore FILE",
  code: "STORAGE_DAMAGED"
}

/** Asserts that a server tells of the damage, whoever asks, and lets nothing into the database. */
const assertTold = (directory: string, id: string, finding: string) =>
  Effect.gen(function* () {
    const before = bytesOf(databaseOf(directory))
    for (const [method, path, body] of [
      ["POST", "/api/tasks", { title: "T" }],
      ["PATCH", `/api/tasks/${id}`, { title: "Other" }],
      ["POST", `/api/tasks/${id}/comments`, { text: "Hello" }],
      ["POST", "/api/maintenance/backup"]
    ] as const) {
      const answer = yield* ask(method, path, { body })
      assert.strictEqual(answer.status, 503, path)
      assert.deepStrictEqual(answer.body, damaged, path)
    }
    const ready = yield* ask("GET", "/health/ready", { as: null })
    assert.strictEqual(ready.status, 503)
    assert.include(ready.body.checks.storage.detail, "the database is damaged")
    const deep = yield* ask("GET", "/health/deep")
    assert.deepInclude(deep.body, { status: "degraded" })
    assert.deepInclude(deep.body.sqlite, { healthPosture: "unhealthy", damage: finding })
    // A copy goes with the scope of its request, which ends after the answer.
    const holdsCopy = () => readdirSync(directory).some((name) => name.includes(".partial"))
    yield* Effect.repeat(Effect.sleep("2 millis"), { while: holdsCopy })
    assert.isTrue(before.equals(bytesOf(databaseOf(directory))), "something was written over the damage")
  })

describe("a database that is damaged under a running server", () => {
  it.scopedLive("is told of by every route that meets it, and from then on by all that would write", () =>
    Effect.gen(function* () {
      const { directory, id } = yield* board
      yield* spoilTable(directory, "ceremonies")
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* ask("GET", `/api/tasks/${id}`)).status, 200)
        const met = yield* ask("GET", "/api/ceremonies")
        assert.strictEqual(met.status, 503)
        assert.deepStrictEqual(met.body, damaged)
        yield* assertTold(directory, id, "corrupt")
        assert.strictEqual((yield* ask("GET", `/api/tasks/${id}`)).status, 200, "what can be read is read")
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )

  it.scopedLive("is found by a backup, which is not called good", () =>
    Effect.gen(function* () {
      const { directory, id } = yield* board
      yield* spoilTable(directory, "ceremonies")
      yield* Effect.gen(function* () {
        const answer = yield* ask("POST", "/api/maintenance/backup")
        assert.strictEqual(answer.status, 503)
        assert.deepStrictEqual(answer.body, damaged)
        yield* assertTold(directory, id, "corrupt")
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )

  it.scopedLive("is told of when what a row holds is no value any more", () =>
    Effect.gen(function* () {
      const { directory, id } = yield* board
      yield* tamper(directory, "UPDATE task_documents SET json = '{\"sEcReT'")
      const answer = yield* ask("PATCH", `/api/tasks/${id}`, { body: { title: "Other" } }).pipe(
        Effect.provide(worldIn(directory)),
        Effect.scoped
      )
      assert.strictEqual(answer.status, 503)
      assert.deepStrictEqual(answer.body, damaged)
    })
  )

  it("is one that is not the file of before", () => {
    const before = { device: 1, inode: 2, bytes: 100, beginning: "SQLite format 3\0" }
    assert.isUndefined(judge(before, { ...before, bytes: 200 }))
    assert.strictEqual(judge(before, undefined), "gone")
    assert.strictEqual(judge(before, { ...before, device: 3 }), "replaced")
    assert.strictEqual(judge(before, { ...before, inode: 3 }), "replaced")
    assert.strictEqual(judge(before, { ...before, bytes: 99 }), "cut-off")
    assert.strictEqual(judge(before, { ...before, beginning: "" }), "not-a-database")
  })
})

// They wait for the watch over the file, all at the same time.
describe.concurrent("a database that is damaged under a running server", () => {
  const losses: ReadonlyArray<readonly [string, string, (file: string) => void]> = [
    ["removed", "gone", (file) => rmSync(file)],
    ["moved away", "gone", (file) => renameSync(file, `${file}.away`)],
    [
      "replaced by another",
      "replaced",
      (file) => {
        copyFileSync(file, `${file}.other`)
        renameSync(`${file}.other`, file)
      }
    ],
    ["cut off", "cut-off", (file) => truncateSync(file, 8_192)],
    ["overwritten at its beginning", "not-a-database", (file) => overwrite(file, 0, 16)]
  ]
  for (const [what, finding, lose] of losses) {
    it.scopedLive(`is told of within seconds when the file is ${what}`, () =>
      Effect.gen(function* () {
        const { directory } = yield* board
        yield* Effect.gen(function* () {
          const { damage } = yield* Storage
          yield* Effect.sync(() => lose(databaseOf(directory)))
          while (damage.known() === undefined) yield* Effect.sleep(50)
          // A request may have met what the watch over the file finds.
          assert.include([finding, "corrupt"], damage.known()?.finding)
          const written = yield* ask("POST", "/api/tasks", { body: { title: "T" } })
          assert.deepStrictEqual([written.status, written.body], [503, damaged])
          const ready = yield* ask("GET", "/health/ready", { as: null })
          assert.strictEqual(ready.status, 503)
        }).pipe(Effect.provide(worldIn(directory)))
      })
    )
  }
})

describe("a file that is damaged before a start", () => {
  const garbage = (file: string) => writeFileSync(file, Buffer.alloc(4_096, 0xff))
  const noJson = (file: string) => writeFileSync(file, '{"sEcReT')
  const aDirectory = (file: string) => {
    rmSync(file, { force: true })
    mkdirSync(file)
  }
  const files: ReadonlyArray<readonly [string, (file: string) => void, RegExp, WorldOptions?]> = [
    ["muster.db", garbage, /is damaged: it is no SQLite database.*muster restore FILE/],
    ["muster.db", (file) => overwrite(file, 100, 4_000), /is damaged.*muster restore FILE/],
    ["muster.db", (file) => truncateSync(file, 6_000), /is damaged.*muster restore FILE/],
    ["muster.db", aDirectory, /SERVICE_SQLITE_PATH: can't work with .*: it is no file/],
    ["muster.db-wal", garbage, /write-ahead log .* is damaged.*muster restore FILE/],
    ["muster.db-wal", aDirectory, /SERVICE_SQLITE_PATH.*it is a directory/],
    ["muster.lock", garbage, /is damaged: it stands for a lock.*remove it/],
    ["muster.lock", aDirectory, /SERVICE_DATA_DIR.*it is a directory/],
    ["muster.lock.json", aDirectory, /SERVICE_DATA_DIR.*it is a directory/],
    ["audit-key.pem", garbage, /key of the audit chain .* can't be read.*muster restore FILE/],
    ["audit-key.pem", aDirectory, /key of the audit chain .* can't be read/],
    ["audit-head.json", noJson, /head of the audit chain .* can't be read.*muster restore FILE/],
    ["audit-head.json", aDirectory, /head of the audit chain .* can't be read/],
    ["signing-keys.json", noJson, /signing keys .* can't be read.*delete it/],
    ["signing-keys.json", aDirectory, /signing keys .* can't be read/],
    ["vault-key.json", noJson, /key of the vault .* can't be read.*delete it/],
    ["vault-key.json", aDirectory, /key of the vault .* can't be read/],
    ["revocations.jsonl", (file) => writeFileSync(file, "sEcReT\n"), /line 1 is damaged/],
    ["revocations.jsonl", aDirectory, /can't be read|it is a directory/],
    [
      "admin-key",
      garbage,
      /admin key .* is damaged.*delete it/,
      { auth: { adminKey: undefined, apiKeys: [] } }
    ],
    [
      "admin-key",
      aDirectory,
      /it is a directory.*SERVICE_DATA_DIR/,
      { auth: { adminKey: undefined, apiKeys: [] } }
    ],
    [
      "worktrees",
      (file) => {
        rmSync(file, { recursive: true, force: true })
        writeFileSync(file, "")
      },
      /SERVICE_WORKTREES_DIR.*a file stands where a directory should be/
    ]
  ]
  for (const [name, damage, told, options] of files) {
    it.scopedLive(`ends it with the name of ${name} and the remedy: ${told.source.slice(0, 60)}`, () =>
      Effect.gen(function* () {
        const { directory } = yield* board
        const file = join(directory, name)
        yield* Effect.sync(() => damage(file))
        const said = (yield* refusal(directory, options)) ?? "a stack"
        assert.match(said, told)
        assert.include(said, file)
        assert.notInclude(said, "sEcReT")
        assert.notInclude(said, "\n")
      })
    )
  }

  it.scopedLive("is left as it is, and the start that it ends shows no stack", () =>
    Effect.gen(function* () {
      const { directory, id } = yield* board
      const copy = yield* copyOf(directory)
      yield* Effect.sync(() => garbage(databaseOf(directory)))
      const before = bytesOf(databaseOf(directory))
      const { code, output } = yield* Process.run({ ...Process.testKeys, SERVICE_DATA_DIR: directory })
      assert.strictEqual(code, 1)
      assert.match(output, /^muster: The database .* is damaged/m)
      assert.notInclude(output, "    at ")
      assert.isTrue(before.equals(bytesOf(databaseOf(directory))))
      yield* restore(copy, directory)
      const server = yield* Process.start(directory)
      assert.strictEqual((yield* send(server.baseUrl, "GET", `/api/tasks/${id}`)).status, 200)
    })
  )
})
