import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { AuditHead } from "../../../src/storage/audit/AuditHead.ts"
import * as AuditKey from "../../../src/storage/audit/AuditKey.ts"
import * as RestoreMark from "../../../src/storage/audit/RestoreMark.ts"
import { hashOf } from "../../../src/storage/events/Audit.ts"
import { type AuditRow, selectAudit } from "../../support/Audit.ts"
import * as Process from "../../support/Process.ts"
import { copyOf, databaseOf, restore } from "../../support/Restore.ts"
import { tamper } from "../../support/Tamper.ts"
import { readDatabase } from "../../support/TestStorage.ts"
import { temporaryDirectory, World, worldIn } from "../../support/World.ts"

const ask = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(World, ({ request }) =>
    request(method, path, { as: "admin", ...(body === undefined ? {} : { body }) })
  )

/** Starts a server on a directory, changes the board so many times, and stops it. */
const work = (directory: string, times: number) =>
  Effect.replicateEffect(ask("POST", "/api/tasks", { title: "T" }), times, { discard: true }).pipe(
    Effect.provide(worldIn(directory)),
    Effect.scoped
  )

const verify = (directory: string) =>
  Effect.map(ask("GET", "/api/audit/verify"), ({ body }) => body).pipe(
    Effect.provide(worldIn(directory)),
    Effect.scoped
  )

const headFile = (directory: string): string => join(directory, "audit-head.json")
const keyFile = (directory: string): string => join(directory, "audit-key.pem")

const headOf = (directory: string): AuditHead => JSON.parse(readFileSync(headFile(directory), "utf8"))

/** Two directories, each made once in this process and copied for every test: a board with three entries, and it with four more. */
const boards = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const root = yield* Effect.sync(() => mkdtempSync(join(tmpdir(), "muster-boards-")))
      process.once("exit", () => rmSync(root, { recursive: true, force: true }))
      const [early, late] = [join(root, "early"), join(root, "late")]
      yield* work(early, 3)
      cpSync(early, late, { recursive: true })
      yield* work(late, 4)
      return { early, late }
    })
  )
)

const copyInto = (board: string) =>
  Effect.tap(temporaryDirectory, (directory) =>
    Effect.sync(() => cpSync(board, directory, { recursive: true }))
  )

/** A board with three entries. */
const earlyBoard = Effect.flatMap(boards, ({ early }) => copyInto(early))

/** A board with three entries, and a copy of it; then four more. */
const copiedBoard = Effect.gen(function* () {
  const { early, late } = yield* boards
  const directory = yield* copyInto(late)
  const copy = yield* copyOf(early)
  const { hash, sequence } = headOf(directory)
  return { directory, copy, before: { sequence, hash } }
})

/** The same, brought back from the copy. */
const restoredBoard = Effect.tap(copiedBoard, ({ copy, directory }) => restore(copy, directory))

/** Puts an entry at the end of a chain as somebody does who has the table and not the key. */
const forge = (directory: string, details: (last: AuditRow) => unknown) =>
  Effect.gen(function* () {
    const last = (yield* readDatabase<AuditRow>(directory, selectAudit)).at(-1)
    if (last === undefined) return yield* Effect.dieMessage("The chain is empty")
    const entry = {
      sequence: last.sequence + 1,
      timestamp: "2026-11-22T00:00:00.000Z",
      actor: "system",
      role: "admin",
      action: RestoreMark.action,
      resource: "board",
      resourceId: "default",
      workspaceId: "default",
      details: details(last),
      previousHash: last.hash
    }
    yield* tamper(
      directory,
      `INSERT INTO audit VALUES (${entry.sequence}, 'audit_${entry.sequence}', ${Date.parse(entry.timestamp)}, 'system',
        'admin', '${entry.action}', 'board', 'default', 'default', '${JSON.stringify(entry.details)}',
        '${entry.previousHash}', '${hashOf(entry)}')`
    )
  })

describe("the chain of a board that was restored", () => {
  it.scopedLive("verifies again, names the head of before, and goes on", () =>
    Effect.gen(function* () {
      const { before, copy, directory } = yield* copiedBoard
      assert.deepInclude(yield* verify(directory), { valid: true, entries: 7, restores: [] })
      yield* restore(copy, directory)
      const restored = yield* verify(directory)
      assert.deepInclude(restored, { valid: true, entries: 4 })
      assert.strictEqual(restored.head.sequence, 4)
      assert.lengthOf(restored.restores, 1)
      assert.deepStrictEqual(restored.restores[0].head, before)
      assert.isNotNaN(Date.parse(restored.restores[0].at))

      yield* work(directory, 2)
      const again = yield* copyOf(directory)
      yield* restore(again, directory)
      const twice = yield* verify(directory)
      assert.deepInclude(twice, { valid: true, entries: 7 })
      assert.deepStrictEqual(
        twice.restores.map(({ head }: { readonly head: { readonly sequence: number } }) => head.sequence),
        [7, 6]
      )
    })
  )

  it.scopedLive("verifies when the power failed between the board and its signed head", () =>
    Effect.gen(function* () {
      const { before, copy, directory } = yield* copiedBoard
      const old = readFileSync(headFile(directory))
      yield* restore(copy, directory)
      writeFileSync(headFile(directory), old)
      const found = yield* verify(directory)
      assert.deepInclude(found, { valid: true, entries: 4 })
      assert.deepStrictEqual(found.restores[0].head, before)
      assert.strictEqual(headOf(directory).sequence, 4)
    })
  )

  it.scopedLive("verifies on another machine, which has no key yet, and there once more", () =>
    Effect.gen(function* () {
      const { copy, directory } = yield* restoredBoard
      yield* work(directory, 1)
      const moved = yield* copyOf(directory)
      const elsewhere = yield* temporaryDirectory
      yield* restore(moved, elsewhere)
      const found = yield* verify(elsewhere)
      assert.deepInclude(found, { valid: true, entries: 6 })
      assert.deepStrictEqual(
        found.restores.map(({ head }: { readonly head: unknown }) => head === null),
        [false, true]
      )
      yield* restore(copy, elsewhere)
      assert.deepInclude(yield* verify(elsewhere), { valid: true, entries: 4 })
    })
  )

  const changes: ReadonlyArray<readonly [string, string, Record<string, unknown>]> = [
    [
      "an edited entry",
      "UPDATE audit SET actor = 'nobody' WHERE sequence = 2",
      { brokenAt: 2, fault: "changed" }
    ],
    [
      "an edited mark",
      `UPDATE audit SET details = '{"head":null}' WHERE sequence = 4`,
      { brokenAt: 4, fault: "changed" }
    ],
    ["a removed entry", "DELETE FROM audit WHERE sequence = 2", { brokenAt: 2, fault: "removed" }],
    ["a removed mark", "DELETE FROM audit WHERE sequence = 4", { brokenAt: 4, fault: "removed" }],
    ["an end that was cut off", "DELETE FROM audit WHERE sequence > 4", { brokenAt: 5, fault: "truncated" }],
    ["a mark that was cut off", "DELETE FROM audit WHERE sequence > 3", { brokenAt: 4, fault: "truncated" }]
  ]
  for (const [what, statement, found] of changes) {
    it.scopedLive(`is found out with ${what}`, () =>
      Effect.gen(function* () {
        const { directory } = yield* restoredBoard
        yield* work(directory, 2)
        yield* tamper(directory, statement)
        assert.deepInclude(yield* verify(directory), { valid: false, ...found })
      })
    )
  }
})

describe("a restore that was none", () => {
  it.scopedLive("is a database that somebody copied in by hand", () =>
    Effect.gen(function* () {
      const { copy, directory } = yield* copiedBoard
      copyFileSync(copy, databaseOf(directory))
      assert.deepInclude(yield* verify(directory), { valid: false, fault: "truncated", brokenAt: 4 })
      yield* work(directory, 6)
      assert.deepInclude(yield* verify(directory), { valid: false, fault: "changed", brokenAt: 7 })
    })
  )

  it.scopedLive("is a board from before the last restore that somebody put back", () =>
    Effect.gen(function* () {
      const { copy, directory } = yield* copiedBoard
      const { keptAs = "" } = yield* restore(copy, directory)
      yield* work(directory, 1)
      copyFileSync(keptAs, databaseOf(directory))
      assert.deepInclude(yield* verify(directory), { valid: false, fault: "changed" })
    })
  )

  it.scopedLive("is a mark that nobody signed, or another key, or for another place", () =>
    Effect.gen(function* () {
      const stranger = AuditKey.generate()
      const forgeries: ReadonlyArray<(before: unknown) => (last: AuditRow) => unknown> = [
        (head) => () => ({ head, publicKey: stranger.publicKey, signature: "AAAA" }),
        () => (last) => RestoreMark.detailsOf(stranger, last, null),
        () => () => RestoreMark.detailsOf(stranger, { sequence: 0, hash: "sha256:0" }, null),
        () => () => ({ head: null, publicKey: "none", signature: "" })
      ]
      for (const forgery of forgeries) {
        const { before, copy, directory } = yield* copiedBoard
        copyFileSync(copy, databaseOf(directory))
        yield* forge(directory, forgery(before))
        assert.deepInclude(yield* verify(directory), { valid: false, fault: "restore-forged", brokenAt: 4 })
      }
    })
  )

  it.scopedLive("is a mark of an earlier restore that was copied to the end", () =>
    Effect.gen(function* () {
      const { directory } = yield* restoredBoard
      const mark = (yield* readDatabase<AuditRow>(directory, selectAudit)).at(-1)
      yield* work(directory, 1)
      yield* forge(directory, () => JSON.parse(mark?.details ?? "{}"))
      assert.deepInclude(yield* verify(directory), { valid: false, fault: "restore-forged", brokenAt: 6 })
    })
  )

  it.scopedLive("is an entry of an earlier version, which excuses nothing", () =>
    Effect.gen(function* () {
      const { copy, directory } = yield* copiedBoard
      copyFileSync(copy, databaseOf(directory))
      yield* forge(directory, () => ({}))
      assert.deepInclude(yield* verify(directory), { valid: false, fault: "truncated", restores: [] })
      // And what such a version has left behind is mended by the next restore.
      yield* restore(copy, directory)
      assert.deepInclude(yield* verify(directory), { valid: true, entries: 4 })
    })
  )
})

describe("a start", () => {
  const losses: ReadonlyArray<
    readonly [string, (directory: string) => void, RegExp, Record<string, unknown>]
  > = [
    [
      "the key and the head were taken away",
      (directory) => {
        rmSync(keyFile(directory))
        rmSync(headFile(directory))
      },
      /audit-key\.pem, is not in the data directory.*muster restore FILE/,
      { fault: "key-missing", head: null }
    ],
    [
      "the head was taken away",
      (directory) => rmSync(headFile(directory)),
      /audit-head\.json, is gone from the data directory.*muster restore FILE/,
      { fault: "head-missing", head: null }
    ],
    [
      "the database is gone",
      (directory) => rmSync(databaseOf(directory)),
      /The database is empty, and the audit chain beside it had 3 entries.*SERVICE_DATA_DIR.*muster restore FILE/,
      { fault: "truncated", brokenAt: 1 }
    ],
    [
      "the database is empty",
      (directory) => writeFileSync(databaseOf(directory), ""),
      /The database is empty, and the audit chain beside it had 3 entries/,
      { fault: "truncated", brokenAt: 1 }
    ]
  ]
  for (const [what, lose, told, found] of losses) {
    it.scopedLive(`says so loudly, and the verification too, when ${what}`, () =>
      Effect.gen(function* () {
        const directory = yield* earlyBoard
        const copy = yield* copyOf(directory)
        yield* Effect.sync(() => lose(directory))
        const server = yield* Process.start(directory)
        assert.match(server.output(), told)
        yield* server.end("SIGTERM")
        assert.deepInclude(yield* verify(directory), { valid: false, ...found })
        yield* restore(copy, directory)
        assert.deepInclude(yield* verify(directory), { valid: true, entries: 4 })
      })
    )
  }

  it.scopedLive("says so when the key was replaced together with the head", () =>
    Effect.gen(function* () {
      const directory = yield* earlyBoard
      const other = yield* temporaryDirectory
      yield* work(other, 1)
      copyFileSync(keyFile(other), keyFile(directory))
      copyFileSync(headFile(other), headFile(directory))
      assert.deepInclude(yield* verify(directory), { valid: false, fault: "key-replaced" })
    })
  )

  it.scopedLive("has nothing to say on a board in memory beside the files of another", () =>
    Effect.gen(function* () {
      const directory = yield* earlyBoard
      const head = readFileSync(headFile(directory), "utf8")
      const found = yield* Effect.zipRight(
        ask("POST", "/api/tasks", { title: "T" }),
        Effect.map(ask("GET", "/api/audit/verify"), ({ body }) => body)
      ).pipe(Effect.provide(worldIn(directory, { databaseFile: ":memory:" })), Effect.scoped)
      assert.deepInclude(found, { valid: true, entries: 1 })
      assert.strictEqual(readFileSync(headFile(directory), "utf8"), head)
      assert.deepInclude(yield* verify(directory), { valid: true, entries: 3 })
    })
  )
})
