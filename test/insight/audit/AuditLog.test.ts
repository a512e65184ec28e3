import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Fiber } from "effect"
import { AuditLog } from "../../../src/insight/audit/AuditLog.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { recordChange } from "../../support/Journal.ts"
import { tamper } from "../../support/Tamper.ts"
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
  Effect.flatMap(World, ({ directory }) => {
    const signed = Effect.sync(
      (): number => JSON.parse(readFileSync(join(directory, "audit-head.json"), "utf8")).sequence
    )
    return Effect.repeat(Effect.delay(signed, "10 millis"), { until: (sequence) => sequence >= length })
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
    [
      "details that are no JSON any more",
      "UPDATE audit SET details = '{' WHERE sequence = 4",
      { brokenAt: 4, fault: "changed" }
    ],
    [
      "a time that is none",
      "UPDATE audit SET created_at = 1e30 WHERE sequence = 4",
      { brokenAt: 4, fault: "changed" }
    ],
    [
      "bytes for a text",
      "UPDATE audit SET actor = x'00ff' WHERE sequence = 4",
      { brokenAt: 4, fault: "changed" }
    ],
    [
      "an entry below the first",
      "UPDATE audit SET sequence = -1 WHERE sequence = 6",
      { brokenAt: -1, fault: "changed" }
    ],
    [
      "an entry far below the first",
      "UPDATE audit SET sequence = -9223372036854775808 WHERE sequence = 6",
      { brokenAt: Number.MIN_SAFE_INTEGER, fault: "changed" }
    ],
    ["a table that was dropped", "DROP TABLE audit", { fault: "unreadable" }],
    [
      "a table that was replaced",
      "DROP TABLE audit; CREATE TABLE audit (sequence INTEGER PRIMARY KEY)",
      { fault: "unreadable" }
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
        yield* signedUpTo(6)
        assert.deepInclude(yield* verify, { valid: true, entries: 6 })
        yield* tamper(directory, statement)
        assert.deepInclude(yield* verify, { valid: false, ...found })
      }).pipe(Effect.provide(world()))
    )
  }

  it.scopedLive("lets others have their turn while it follows a long chain", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      const log = yield* AuditLog
      yield* write(Effect.forEach(Arr.range(1, 5_000), (number) => recordChange("a", { number })))
      let turns = 0
      const others = yield* Effect.fork(
        Effect.forever(
          Effect.zipRight(
            Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
            Effect.sync(() => turns++)
          )
        )
      )
      assert.deepInclude(yield* log.verify, { valid: true, entries: 5_000 })
      yield* Fiber.interrupt(others)
      assert.isAtLeast(turns, 20)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("does not keep the log from being read, whatever somebody put into a row", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      yield* write(3)
      yield* tamper(directory, "UPDATE audit SET details = '{', created_at = 1e30 WHERE sequence = 2")
      const { body, status } = yield* ask("GET", "/api/audit")
      assert.strictEqual(status, 200)
      assert.deepInclude(body[1], { sequence: 2, details: "{", timestamp: "1e+30" })
    }).pipe(Effect.provide(world()))
  )

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

  it.scopedLive("takes no start that was killed for somebody who took the head away", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.provide(Effect.void, worldIn(directory))
      // What a first start leaves behind that dies after the head and before the key.
      yield* Effect.sync(() => rmSync(join(directory, "audit-key.pem")))
      yield* tamper(directory, "DELETE FROM singletons WHERE name = 'audit-key'")
      yield* Effect.provide(write(2), worldIn(directory))
      const found = yield* Effect.provide(verify, worldIn(directory))
      assert.deepInclude(found, { valid: true, entries: 2 })
      assert.strictEqual(found.head.sequence, 2)
      yield* Effect.sync(() => rmSync(join(directory, "audit-key.pem")))
      assert.deepInclude(yield* Effect.provide(verify, worldIn(directory)), {
        valid: false,
        fault: "key-missing"
      })
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
