import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const ask = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(World, ({ request }) =>
    request(method, path, { as: "admin", ...(body === undefined ? {} : { body }) })
  )

const write = (times: number) =>
  Effect.replicateEffect(ask("POST", "/api/tasks", { title: "T" }), times, { discard: true })

const verify = Effect.map(ask("GET", "/api/audit/verify"), ({ body }) => body)

/** Waits until the head of the chain stands in its file, signed at this length or a later one. */
const signedUpTo = (length: number) =>
  Effect.repeat(verify, { until: ({ head }) => head !== null && head.sequence >= length })

/** Changes the database behind the server's back. */
const tamper = (directory: string, statement: string) =>
  Effect.sync(() => {
    const database = new Database(join(directory, "muster.db"))
    database.exec(statement)
    database.close()
  })

describe("the audit log", () => {
  it.scopedLive("lists what was done, newest first, page by page", () =>
    Effect.gen(function* () {
      yield* write(3)
      const { body: all } = yield* ask("GET", "/api/audit")
      assert.deepStrictEqual(
        all.map(({ sequence }: { readonly sequence: number }) => sequence),
        [3, 2, 1]
      )
      assert.hasAllKeys(all[0], [
        ...["id", "sequence", "timestamp", "actor", "role", "action", "resource", "resourceId"],
        ...["workspaceId", "details", "previousHash", "hash"]
      ])
      assert.deepInclude(all[0], { actor: "admin", action: "task.created", previousHash: all[1].hash })
      const { body: older } = yield* ask("GET", "/api/audit?limit=1&before=3")
      assert.deepStrictEqual(older, [all[1]])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("comes in hundreds, a thousand at the most, and to admins alone", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const bulk = Array.from({ length: 300 }, () => ({ type: "run.started", taskId: "T", agent: "codex" }))
      yield* Effect.replicateEffect(ask("POST", "/api/telemetry/events/bulk", { events: bulk }), 4, {
        discard: true
      })
      assert.lengthOf((yield* ask("GET", "/api/audit")).body, 100)
      assert.lengthOf((yield* ask("GET", "/api/audit?limit=5000")).body, 1_000)
      for (const limit of ["0", "-1", "ten", "1.5"]) {
        assert.strictEqual((yield* ask("GET", `/api/audit?limit=${limit}`)).status, 400)
      }
      assert.deepInclude(yield* verify, { valid: true, entries: 1_200 })
      for (const path of ["/api/audit", "/api/audit/verify"]) {
        for (const as of ["agent", "read-only"] as const) {
          assert.strictEqual((yield* request("GET", path, { as })).status, 403)
        }
      }
    }).pipe(Effect.provide(world()))
  )
})

describe("the verification", () => {
  const cases: ReadonlyArray<readonly [string, string, Record<string, unknown>]> = [
    [
      "a changed entry",
      "UPDATE audit SET actor = 'nobody' WHERE sequence = 4",
      { brokenAt: 4, fault: "changed" }
    ],
    [
      "changed details",
      `UPDATE audit SET details = '{"revision":2}' WHERE sequence = 4`,
      { brokenAt: 4, fault: "changed" }
    ],
    ["a removed entry", "DELETE FROM audit WHERE sequence = 4", { brokenAt: 4, fault: "removed" }],
    ["a removed beginning", "DELETE FROM audit WHERE sequence < 3", { brokenAt: 1, fault: "removed" }],
    [
      "entries that changed places",
      "UPDATE audit SET sequence = 99 WHERE sequence = 4; UPDATE audit SET sequence = 4 WHERE sequence = 5; UPDATE audit SET sequence = 5 WHERE sequence = 99",
      { brokenAt: 4, fault: "changed" }
    ],
    ["an end that was cut off", "DELETE FROM audit WHERE sequence > 4", { brokenAt: 5, fault: "truncated" }],
    ["an empty table", "DELETE FROM audit", { brokenAt: 1, fault: "truncated" }]
  ]
  for (const [what, statement, found] of cases) {
    it.scopedLive(`finds ${what}`, () =>
      Effect.gen(function* () {
        const { directory } = yield* World
        yield* write(6)
        assert.deepInclude(yield* signedUpTo(6), { valid: true, entries: 6 })
        yield* tamper(directory, statement)
        assert.deepInclude(yield* verify, { valid: false, ...found })
      }).pipe(Effect.provide(world()))
    )
  }

  it.scopedLive("finds an end that was cut off while the server stood still, whatever is written after", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.provide(write(6), worldIn(directory))
      yield* tamper(directory, "DELETE FROM audit WHERE sequence > 4")
      yield* Effect.gen(function* () {
        assert.deepInclude(yield* verify, { valid: false, fault: "truncated", brokenAt: 5 })
        yield* write(4)
        assert.deepInclude(yield* verify, { valid: false, fault: "changed", brokenAt: 6 })
      }).pipe(Effect.provide(worldIn(directory)))
      assert.deepInclude(yield* Effect.provide(verify, worldIn(directory)), { valid: false, brokenAt: 6 })
    })
  )

  it.scopedLive("finds a head that was forged or taken away", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const head = join(directory, "audit-head.json")
      yield* Effect.provide(write(3), worldIn(directory))
      const signed = readFileSync(head, "utf8")
      yield* Effect.sync(() => writeFileSync(head, signed.replace('"sequence":3', '"sequence":2')))
      assert.deepInclude(yield* Effect.provide(verify, worldIn(directory)), {
        valid: false,
        fault: "head-forged",
        head: null
      })
      yield* Effect.sync(() => rmSync(head))
      assert.deepInclude(yield* Effect.provide(verify, worldIn(directory)), {
        valid: false,
        fault: "head-missing"
      })
      assert.isFalse(existsSync(head))
    })
  )

  it.scopedLive(
    "is right about a board on which nothing was done, and one that goes on after a restart",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const empty = yield* Effect.provide(verify, worldIn(directory))
        assert.deepInclude(empty, { valid: true, entries: 0 })
        assert.strictEqual(empty.head.sequence, 0)
        yield* Effect.provide(write(2), worldIn(directory))
        const later = yield* Effect.provide(Effect.zipRight(write(2), verify), worldIn(directory))
        assert.deepInclude(later, { valid: true, entries: 4 })
        assert.strictEqual(later.head.sequence, 2)
        for (const file of ["audit-key.pem", "audit-head.json"]) {
          assert.strictEqual(statSync(join(directory, file)).mode & 0o777, 0o600)
        }
      })
  )
})
