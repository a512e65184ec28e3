import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { iso } from "../../../src/kernel/Time.ts"
import { firstRow, run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { auditTrail, brokenLink } from "../../support/Audit.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { readDatabase } from "../../support/TestStorage.ts"
import { temporaryDirectory, World, type WorldOptions, world, worldIn } from "../../support/World.ts"

const at = "/api/maintenance/sqlite/journal"
const day = 86_400_000
const today = Date.now()

const admin = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(World, ({ request }) =>
    request(method, path, { as: "admin", ...(body === undefined ? {} : { body }) })
  )

/** A preview of delete mode until a day from a time. */
const wish = (now: number, more: object = {}) => ({
  targetMode: "delete",
  singleHost: true,
  overrideReason: "The tools here read journals",
  expiresAt: iso(now + day),
  ...more
})

const applyOf = ({ previewId, previewToken }: { previewId: string; previewToken: string }) => ({
  previewId,
  previewToken,
  confirm: previewId,
  acknowledgeRisks: true
})

/** Previews and applies a change; gives the operation. */
const schedule = (body: object = wish(today)) =>
  Effect.gen(function* () {
    const preview = yield* admin("POST", `${at}/preview`, body)
    assert.strictEqual(preview.status, 200, JSON.stringify(preview.body))
    const { body: operation, status } = yield* admin("POST", `${at}/apply`, applyOf(preview.body))
    assert.strictEqual(status, 202, JSON.stringify(operation))
    return operation
  })

const status = Effect.map(admin("GET", `${at}/status`), ({ body }) => body)
const sqlite = Effect.map(admin("GET", "/health/deep"), ({ body }) => body.sqlite)

/** Runs the server on a directory for as long as some work takes. */
const during = <A, E>(
  directory: string,
  work: Effect.Effect<A, E, World | Storage>,
  options: WorldOptions = {}
) => work.pipe(Effect.provide(worldIn(directory, options)), Effect.scoped)

describe("a change of the journal mode", () => {
  it.scopedLive("is previewed, scheduled, done at the next start, and revoked for the one after it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const scheduled = yield* during(
        directory,
        Effect.gen(function* () {
          const operation = yield* schedule()
          assert.deepInclude(operation, {
            state: "scheduled",
            targetMode: "delete",
            fromMode: "wal",
            restartRequired: true
          })
          assert.strictEqual((yield* sqlite).journalMode, "wal")
          assert.deepInclude(yield* status, { journalMode: "wal", restartRequired: true })
          assert.deepStrictEqual((yield* status).scheduled, operation)
          assert.deepStrictEqual((yield* admin("GET", `${at}/operations/${operation.id}`)).body, operation)
          return operation
        })
      )
      yield* during(
        directory,
        Effect.gen(function* () {
          const { request } = yield* World
          const report = yield* sqlite
          assert.deepInclude(report, {
            journalMode: "delete",
            decisionSource: "override",
            overrideSource: "maintenance-operation"
          })
          assert.deepInclude(report.override, { mode: "delete", inForce: true, grantedBy: "admin" })
          const done = (yield* admin("GET", `${at}/operations/${scheduled.id}`)).body
          assert.deepInclude(done, { state: "applied", resultMode: "delete", restartRequired: false })
          assert.deepInclude(yield* status, { scheduled: null, restartRequired: false, lastOperation: done })
          const created = yield* request("POST", "/api/tasks", { body: { title: "In delete mode" } })
          assert.strictEqual(created.status, 201)
          const revoked = yield* admin("POST", `${at}/override/revoke`)
          assert.strictEqual(revoked.status, 200)
          assert.deepInclude(revoked.body, { journalMode: "delete", restartRequired: true })
          assert.deepInclude(revoked.body.override, { inForce: false, lapse: "revoked" })
          assert.strictEqual((yield* sqlite).journalMode, "delete")
          assert.strictEqual((yield* admin("POST", `${at}/override/revoke`)).status, 404)
        })
      )
      yield* during(
        directory,
        Effect.gen(function* () {
          assert.deepInclude(yield* sqlite, { journalMode: "wal", overrideSource: "none" })
          assert.deepInclude(yield* status, { restartRequired: false })
          const { request } = yield* World
          const { body } = yield* request("GET", "/api/tasks")
          assert.include(JSON.stringify(body), "In delete mode")
          const trail = yield* auditTrail
          assert.includeMembers(
            trail.map(({ action }) => action),
            [
              "sqlite-journal.previewed",
              "sqlite-journal.scheduled",
              "sqlite-journal.applied",
              "sqlite-journal.override-revoked"
            ]
          )
          assert.isUndefined(brokenLink(trail))
        })
      )
    })
  )

  it.scopedLive("keeps a commit as safe in delete mode as in WAL", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* during(directory, schedule())
      const level = yield* during(
        directory,
        Effect.flatMap(Storage, ({ write }) => write(firstRow(sql`PRAGMA synchronous`)))
      )
      assert.deepStrictEqual(level, { synchronous: 2 })
    })
  )

  it.scopedLive("goes back to WAL on a local disk without any extras", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* during(directory, schedule())
      yield* during(directory, schedule({ targetMode: "wal" }), {
        sqlite: { topology: "single-host", hostId: "test-host" }
      })
      yield* during(
        directory,
        Effect.gen(function* () {
          const report = yield* sqlite
          assert.deepInclude(report, { journalMode: "wal", decisionSource: "filesystem-policy" })
          assert.isUndefined(report.override)
        })
      )
    })
  )

  it.scopedLive("is not done on another host, nor when the environment no longer says single host", () =>
    Effect.gen(function* () {
      for (const [sqliteEnvironment, reason] of [
        [{ topology: "single-host", hostId: "another" }, "host-id-changed"],
        [{ topology: "single-host" }, "host-id-missing"],
        [{ hostId: "test-host" }, "topology-not-single-host"]
      ] as const) {
        const directory = yield* temporaryDirectory
        const { id } = yield* during(directory, schedule())
        yield* during(
          directory,
          Effect.gen(function* () {
            assert.strictEqual((yield* sqlite).journalMode, "wal")
            const { body } = yield* admin("GET", `${at}/operations/${id}`)
            assert.deepInclude(body, { state: "refused", reasonCodes: [reason] })
            assert.strictEqual((yield* status).override, null)
          }),
          { sqlite: sqliteEnvironment }
        )
      }
    })
  )

  it.scopedLive(
    "ends with its time: a change that waited too long, and an override that was in force",
    () => {
      const { layer, step } = steppedClock()
      const onClock = <A, E>(directory: string, work: Effect.Effect<A, E, World | Storage>) =>
        work.pipe(Effect.provide(Layer.provide(worldIn(directory), layer)), Effect.scoped)
      return Effect.gen(function* () {
        const [late, inForce] = [yield* temporaryDirectory, yield* temporaryDirectory]
        const { id } = yield* onClock(late, schedule(wish(0)))
        yield* onClock(inForce, schedule(wish(0)))
        assert.strictEqual((yield* onClock(inForce, sqlite)).journalMode, "delete")
        yield* step("24 hours")
        yield* onClock(
          late,
          Effect.gen(function* () {
            assert.strictEqual((yield* sqlite).journalMode, "wal")
            assert.deepInclude((yield* admin("GET", `${at}/operations/${id}`)).body, { state: "expired" })
          })
        )
        const after = yield* onClock(inForce, sqlite)
        assert.deepInclude(after, { journalMode: "wal", overrideSource: "none" })
        assert.deepInclude(after.override, { inForce: false, lapse: "expired" })
      })
    }
  )

  it.scopedLive("is repeated at the next start when the first one died before it could note it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { id } = yield* during(directory, schedule())
      // What a crash leaves that came after SQLite took the mode: the mode, and a change that still waits.
      yield* during(directory, Effect.void)
      yield* during(
        directory,
        Effect.flatMap(Storage, ({ write }) =>
          write(
            Effect.zipRight(
              run(sql`
                UPDATE journal_operations
                SET state = 'scheduled', json = json_set(json, '$.state', 'scheduled') WHERE id = ${id}`),
              run(sql`DELETE FROM singletons WHERE name = 'journal-override'`)
            )
          )
        )
      )
      yield* during(
        directory,
        Effect.gen(function* () {
          assert.deepInclude(yield* sqlite, { journalMode: "delete", decisionSource: "override" })
          assert.deepInclude((yield* admin("GET", `${at}/operations/${id}`)).body, { state: "applied" })
        })
      )
    })
  )
})

describe("a preview", () => {
  it.scopedLive("needs all that a change needs, and says each thing that is missing", () =>
    Effect.gen(function* () {
      const now = today
      const wrong: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
        [{ targetMode: "delete" }, ["single-host-not-acknowledged", "reason-missing", "expiry-missing"]],
        [wish(now, { singleHost: false }), ["single-host-not-acknowledged"]],
        [wish(now, { expiresAt: iso(now - 1) }), ["expiry-not-in-the-future"]],
        [wish(now, { expiresAt: iso(now + 31 * day) }), ["expiry-too-far"]]
      ]
      for (const [body, reasonCodes] of wrong) {
        const answer = yield* admin("POST", `${at}/preview`, body)
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.deepInclude(answer.body, { code: "VALIDATION_ERROR", error: "Validation failed" })
        assert.deepStrictEqual(answer.body.details.reasonCodes, reasonCodes)
        assert.lengthOf(answer.body.details.issues, reasonCodes.length)
      }
      for (const body of [
        {},
        wish(now, { targetMode: "memory" }),
        wish(now, { singleHost: "x" }),
        wish(now, { overrideReason: " " }),
        wish(now, { expiresAt: "x" }),
        wish(now, { path: "/etc/passwd" }),
        wish(now, { databasePath: "/tmp/other.db" })
      ]) {
        assert.strictEqual((yield* admin("POST", `${at}/preview`, body)).status, 400, JSON.stringify(body))
      }
      assert.strictEqual((yield* status).scheduled, null)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused where the environment does not say that one host works alone", () =>
    Effect.gen(function* () {
      const environments = [
        [{}, ["topology-not-single-host", "host-id-missing"]],
        [{ topology: "single-host" }, ["host-id-missing"]],
        [{ topology: "multi-host", hostId: "a" }, ["topology-not-single-host"]]
      ] as const
      for (const [sqliteEnvironment, reasonCodes] of environments) {
        const directory = yield* temporaryDirectory
        const answers = yield* during(
          directory,
          Effect.all([
            admin("POST", `${at}/preview`, wish(today)),
            admin("POST", `${at}/preview`, { targetMode: "wal" })
          ]),
          { sqlite: sqliteEnvironment }
        )
        assert.strictEqual(answers[0].status, 409)
        assert.deepInclude(answers[0].body, { code: "CONFLICT", details: { reasonCodes } })
        assert.include(answers[0].body.error, "SERVICE_SQLITE_")
        assert.strictEqual(answers[1].status, 200)
      }
    })
  )

  it.scopedLive("is refused for a database in memory", () =>
    Effect.gen(function* () {
      const answer = yield* admin("POST", `${at}/preview`, { targetMode: "wal" })
      assert.strictEqual(answer.status, 409)
      assert.deepStrictEqual(answer.body.details, { reasonCodes: ["in-memory-database"] })
    }).pipe(Effect.provide(world({ databaseFile: ":memory:" })))
  )

  it.scopedLive("is applied once, by who has its token, in time, and while nothing else waits", () => {
    const { layer, step } = steppedClock()
    return Effect.gen(function* () {
      const { body: first } = yield* admin("POST", `${at}/preview`, wish(0))
      const { body: second } = yield* admin("POST", `${at}/preview`, wish(0))
      const apply = (body: object) =>
        Effect.map(admin("POST", `${at}/apply`, body), (answer) => [
          answer.status,
          answer.body.details?.reasonCodes?.[0] ?? answer.body.code ?? answer.body.state
        ])
      const good = applyOf(first)
      assert.deepStrictEqual(yield* apply({ ...good, previewToken: second.previewToken }), [
        409,
        "preview-token-wrong"
      ])
      assert.deepStrictEqual(yield* apply({ ...good, confirm: second.previewId }), [400, "VALIDATION_ERROR"])
      for (const part of ["previewId", "previewToken", "confirm", "acknowledgeRisks"]) {
        assert.deepStrictEqual(yield* apply({ ...good, [part]: undefined }), [400, "VALIDATION_ERROR"])
      }
      assert.deepStrictEqual(yield* apply({ ...good, acknowledgeRisks: false }), [400, "VALIDATION_ERROR"])
      assert.deepStrictEqual(yield* apply({ ...good, acknowledgeRisks: "yes" }), [400, "VALIDATION_ERROR"])
      const unknown = { ...good, previewId: "preview_none", confirm: "preview_none" }
      assert.deepStrictEqual(yield* apply(unknown), [404, "NOT_FOUND"])
      assert.deepStrictEqual(yield* apply(good), [202, "scheduled"])
      assert.deepStrictEqual(yield* apply(good), [409, "preview-used"])
      assert.deepStrictEqual(yield* apply(applyOf(second)), [409, "operation-scheduled"])
      assert.strictEqual((yield* admin("POST", `${at}/override/revoke`)).status, 200)
      yield* step("10 minutes")
      assert.deepStrictEqual(yield* apply(applyOf(second)), [409, "preview-expired"])
    }).pipe(Effect.provide(Layer.provide(world(), layer)))
  })

  it.scopedLive("that many apply at once is applied by one", () =>
    Effect.gen(function* () {
      const { body } = yield* admin("POST", `${at}/preview`, wish(today))
      const answers = yield* Effect.all(
        Array.from({ length: 10 }, () => admin("POST", `${at}/apply`, applyOf(body))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map((answer) => answer.status).sort(), [202, ...Array(9).fill(409)])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves no token behind, in the database or in the audit", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      const { body } = yield* admin("POST", `${at}/preview`, wish(today))
      const stored = yield* readDatabase(directory, sql`SELECT * FROM journal_previews`)
      assert.lengthOf(stored, 1)
      const trail = yield* auditTrail
      assert.notInclude(JSON.stringify([stored, trail, yield* status]), body.previewToken)
    }).pipe(Effect.provide(world()))
  )
})

describe("maintenance", () => {
  const routes = [
    ["POST", `${at}/preview`, wish(today)],
    ["POST", `${at}/apply`, {}],
    ["GET", `${at}/status`],
    ["GET", `${at}/operations/none`],
    ["POST", `${at}/override/revoke`],
    ["POST", "/api/maintenance/backup"]
  ] as const

  it.scopedLive("is for admins", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const [method, path, body] of routes) {
        assert.strictEqual((yield* request(method, path, { as: null, body })).status, 401, path)
        for (const as of ["agent", "read-only"] as const) {
          assert.strictEqual((yield* request(method, path, { as, body })).status, 403, path)
        }
        assert.notInclude([401, 403], (yield* request(method, path, { as: "admin", body })).status, path)
      }
    }).pipe(Effect.provide(world()))
  )

  for (const [who, auth] of [
    ["without authentication", { enabled: false }],
    ["behind the bypass for this machine", { localhostBypass: true, localhostRole: "admin" }]
  ] as const) {
    it.scopedLive(`is not scheduled or revoked by an implicit admin ${who}, whatever the body`, () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const preview = yield* request("POST", `${at}/preview`, { as: null, body: wish(today) })
        assert.strictEqual(preview.status, 200)
        for (const [path, body] of [
          ["apply", applyOf(preview.body)],
          ["apply", {}],
          ["apply", { nonsense: true }],
          ["override/revoke", undefined]
        ] as const) {
          const answer = yield* request("POST", `${at}/${path}`, { as: null, body })
          assert.strictEqual(answer.status, 403, path)
          assert.strictEqual(answer.body.code, "PERMISSION_DENIED")
        }
        const key = yield* request("POST", `${at}/apply`, { as: "admin", body: applyOf(preview.body) })
        assert.strictEqual(key.status, 202)
      }).pipe(Effect.provide(world({ auth })))
    )
  }
})
