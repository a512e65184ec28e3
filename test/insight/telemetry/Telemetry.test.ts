import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { networkEgress } from "../../../src/insight/telemetry/NetworkEgress.ts"
import { exportLimit } from "../../../src/insight/telemetry/TelemetryQuery.ts"
import { lastRunStarted, record } from "../../../src/insight/telemetry/TelemetryRecord.ts"
import { system } from "../../../src/kernel/Actor.ts"
import * as Outbox from "../../../src/storage/events/Outbox.ts"
import { run } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const shared = sharedWorld()

const started = { type: "run.started", taskId: "task_1", agent: "codex" } as const
const completed = { ...started, type: "run.completed", durationMs: 1_200, success: true } as const
const tokens = {
  type: "run.tokens",
  taskId: "task_2",
  model: "m",
  inputTokens: 10,
  outputTokens: 20,
  cacheTokens: 30,
  cost: 0.12
} as const

const report = (event: object) =>
  Effect.flatMap(World, ({ request }) => request("POST", "/api/telemetry/events", { body: event }))

const types = (events: ReadonlyArray<{ readonly type: string }>) => events.map(({ type }) => type)

const egress = Effect.gen(function* () {
  const storage = yield* Storage
  const event = yield* networkEgress({
    taskId: "task_1",
    runKey: "run_1",
    gatewayKey: "gateway_1",
    policyDigest: `sha256:${"0a".repeat(32)}`,
    host: "api.example.com",
    protocol: "https",
    port: 443,
    decision: "deny",
    reason: "host-not-allowed"
  })
  return yield* storage.write(record(event, system))
})

describe("a telemetry event", () => {
  it.scopedLive("is recorded and answered alone", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const event of [started, completed, tokens]) {
        const { body, status } = yield* report(event)
        assert.strictEqual(status, 201)
        const { id, timestamp, ...rest } = body
        assert.match(id, /^event_/)
        assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.deepStrictEqual(rest, event)
        const listed = yield* request("GET", "/api/v1/telemetry/events?limit=1")
        assert.deepStrictEqual(listed.body, [body])
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("needs little more than its type and its task", () =>
    Effect.gen(function* () {
      for (const event of [
        { type: "run.completed", taskId: "t", agent: "codex" },
        { type: "run.tokens", taskId: "t" },
        { type: "run.tokens", taskId: "t", inputTokens: 0, cost: 0.5 }
      ]) {
        assert.strictEqual((yield* report(event)).status, 201)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is refused with its faults named", () =>
    Effect.gen(function* () {
      const { agent: _, ...anonymous } = started
      for (const [event, path] of [
        [{}, "type"],
        [{ ...started, type: "x" }, "type"],
        [{ ...started, type: "network.egress" }, "type"],
        [anonymous, "agent"],
        [{ ...completed, agent: undefined }, "agent"],
        [{ ...started, taskId: " " }, "taskId"],
        [{ ...started, taskId: 7 }, "taskId"],
        [{ ...completed, success: "x" }, "success"],
        [{ ...completed, durationMs: -1 }, "durationMs"],
        [{ ...tokens, inputTokens: "x" }, "inputTokens"],
        [{ ...tokens, outputTokens: -0.1 }, "outputTokens"],
        [{ ...tokens, cacheTokens: 1e17 }, "cacheTokens"],
        [{ ...tokens, cost: null }, "cost"]
      ] as const) {
        const { body, status } = yield* report(event)
        assert.strictEqual(status, 400)
        assert.strictEqual(body.error, "Validation failed")
        assert.strictEqual(body.code, "VALIDATION_ERROR")
        assert.deepStrictEqual(
          body.details.issues.map((issue: { readonly path: string }) => issue.path),
          [path]
        )
      }
      const { request } = yield* World
      const infinite = yield* request("POST", "/api/telemetry/events", {
        raw: '{"type":"run.tokens","taskId":"t","cost":1e400}'
      })
      assert.strictEqual(infinite.status, 400)
      assert.deepStrictEqual((yield* request("GET", "/api/telemetry/events")).body, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("keeps no secrets", () =>
    Effect.gen(function* () {
      const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
      const { body } = yield* report({ ...tokens, agent: `bot ${token}`, model: token })
      assert.deepInclude(body, { agent: "bot [REDACTED]", model: "[REDACTED]", inputTokens: 10 })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is there after a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const before = yield* report(started).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        const { request } = yield* World
        assert.deepStrictEqual((yield* request("GET", "/api/telemetry/events")).body, [before.body])
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})

describe("a bulk of telemetry events", () => {
  it.scopedLive("is recorded as a whole", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const answer = yield* request("POST", "/api/telemetry/events/bulk", {
        body: { events: [started, tokens, completed] }
      })
      assert.strictEqual(answer.status, 201)
      assert.deepInclude(answer.body, { success: true, count: 3 })
      const listed = yield* request("GET", "/api/telemetry/events")
      assert.deepStrictEqual(listed.body, answer.body.events.toReversed())
      assert.deepStrictEqual(types(listed.body), ["run.completed", "run.tokens", "run.started"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused as a whole when one event is wrong", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const bulk = (events: unknown) => request("POST", "/api/telemetry/events/bulk", { body: { events } })
      const wrong = yield* bulk([started, { ...tokens, cost: -1 }, { type: "network.egress" }])
      assert.strictEqual(wrong.status, 400)
      assert.deepStrictEqual(
        wrong.body.details.issues.map((issue: { readonly path: string }) => issue.path),
        // A list is read up to its first wrong member: telling all of a long one would take its time.
        ["events.1.cost"]
      )
      for (const events of ["x", undefined, [], Array.from({ length: 1_001 }, () => started)]) {
        const answer = yield* bulk(events)
        assert.strictEqual(answer.status, 400)
        assert.strictEqual(answer.body.details.issues[0].path, "events")
      }
      assert.strictEqual((yield* request("GET", "/api/telemetry/count")).body.total, 0)
      const full = yield* bulk(Array.from({ length: 1_000 }, () => started))
      assert.strictEqual(full.body.count, 1_000)
      assert.strictEqual((yield* request("GET", "/api/telemetry/count")).body.total, 1_000)
    }).pipe(Effect.provide(world()))
  )
})

describe("the list of telemetry events", () => {
  it.scopedLive("is filtered by type and task", () =>
    Effect.gen(function* () {
      const { client, request } = yield* World
      const { telemetry } = yield* client()
      for (const event of [started, tokens, completed]) yield* report(event)
      const list = (query: string) =>
        Effect.map(request("GET", `/api/telemetry/events${query}`), ({ body }) => types(body))
      assert.deepStrictEqual(yield* list("?type=run.tokens"), ["run.tokens"])
      assert.deepStrictEqual(yield* list("?taskId=task_1"), ["run.completed", "run.started"])
      assert.deepStrictEqual(yield* list("?taskId=task_1&type=run.started"), ["run.started"])
      assert.deepStrictEqual(yield* list("?limit=2"), ["run.completed", "run.tokens"])
      assert.deepStrictEqual(yield* list("/task/task_1"), ["run.completed", "run.started"])
      assert.deepStrictEqual(yield* list("/task/task_1?limit=1"), ["run.completed"])
      assert.deepStrictEqual(yield* list("/task/task_1?type=run.started"), ["run.started"])
      assert.deepStrictEqual(yield* list("/task/nowhere"), [])
      const typed = yield* telemetry.list({ urlParams: { type: "run.tokens" } })
      assert.deepInclude(typed[0], tokens)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("holds 100 events unless the query says otherwise, and never more than 1,000", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const events = Array.from({ length: 101 }, () => started)
      yield* request("POST", "/api/telemetry/events/bulk", { body: { events } })
      const size = (query: string) =>
        Effect.map(request("GET", `/api/telemetry/events${query}`), ({ body }) => body.length)
      assert.strictEqual(yield* size(""), 100)
      assert.strictEqual(yield* size("?limit=1000"), 101)
      for (const query of ["limit=1001", "limit=0", "limit=x", "type=x", "taskId="]) {
        const { body, status } = yield* request("GET", `/api/telemetry/events?${query}`)
        assert.strictEqual(status, 400)
        assert.strictEqual(body.details.issues[0].path, query.split("=")[0])
      }
    }).pipe(Effect.provide(world()))
  )
})

describe("the figures of telemetry", () => {
  it.scoped("say how many events there are and when the last one came", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const figure = (path: string) =>
        Effect.map(request("GET", `/api/telemetry/${path}`), ({ body }) => body)
      assert.deepStrictEqual(yield* figure("status"), { enabled: true, total: 0, lastEventAt: null })
      for (const event of [started, started, tokens, completed]) yield* report(event)
      assert.deepStrictEqual(yield* figure("status"), {
        enabled: true,
        total: 4,
        lastEventAt: "1970-01-01T00:00:00.000Z"
      })
      const none = { "run.started": 0, "run.completed": 0, "run.tokens": 0 }
      assert.deepStrictEqual(yield* figure("count"), {
        total: 4,
        byType: { "run.started": 2, "run.completed": 1, "run.tokens": 1 }
      })
      assert.deepStrictEqual(yield* figure("count?taskId=task_2"), {
        total: 1,
        byType: { ...none, "run.tokens": 1 }
      })
      assert.deepStrictEqual(yield* figure("count?type=run.started&taskId=task_1"), {
        total: 2,
        byType: { ...none, "run.started": 2 }
      })
    }).pipe(Effect.provide(world()))
  )
})

describe("the export of telemetry", () => {
  it.scopedLive("is a JSON file, filtered like the list", () =>
    Effect.gen(function* () {
      const { client, request } = yield* World
      const { telemetry } = yield* client()
      const empty = yield* request("GET", "/api/telemetry/export")
      assert.deepStrictEqual(empty.body, [])
      for (const event of [started, tokens, completed]) yield* report(event)
      const listed = yield* request("GET", "/api/telemetry/events")
      const { body, headers, status } = yield* request("GET", "/api/telemetry/export")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "application/json")
      assert.strictEqual(headers.get("content-disposition"), 'attachment; filename="telemetry.json"')
      assert.deepStrictEqual(body, listed.body)
      const filtered = yield* request(
        "GET",
        "/api/telemetry/export?format=json&taskId=task_1&type=run.started"
      )
      assert.deepStrictEqual(types(filtered.body), ["run.started"])
      assert.deepStrictEqual(yield* telemetry.export({ urlParams: {} }), listed.body)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is a CSV file that no spreadsheet takes for formulas", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const header =
        "id,timestamp,type,taskId,agent,durationMs,success,model,inputTokens,outputTokens,cacheTokens,cost"
      const empty = yield* request("GET", "/api/telemetry/export?format=csv")
      assert.strictEqual(empty.body, `${header}\r\n`)
      const one = yield* report({ ...tokens, agent: '=HYPERLINK("http://x")', model: 'a,"b"' })
      const two = yield* report({ ...completed, success: false, agent: "@sum" })
      const { body, headers, status } = yield* request("GET", "/api/telemetry/export?format=csv")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
      assert.strictEqual(headers.get("content-disposition"), 'attachment; filename="telemetry.csv"')
      assert.deepStrictEqual(body.split("\r\n"), [
        header,
        `${two.body.id},${two.body.timestamp},run.completed,task_1,'@sum,1200,false,,,,,`,
        `${one.body.id},${one.body.timestamp},run.tokens,task_2,"'=HYPERLINK(""http://x"")",,,"a,""b""",10,20,30,0.12`,
        ""
      ])
      const wrong = yield* request("GET", "/api/telemetry/export?format=xml")
      assert.strictEqual(wrong.status, 400)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("lets no value begin a row or a formula, and holds the events of the JSON file", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const starts = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
      const names = [
        ...starts.map((start) => `${start}1+1`),
        ...starts.map((start) => `\u200b \u00a0${start}1+1`),
        ...["\n", "\r", "\r\n", "\u2028", "\u0085", "\t", ";", ",", '"', '"\n"'].map(
          (separator) => `a${separator}=1+1${separator}b`
        ),
        "it's a plain name",
        "－"
      ]
      yield* report(started)
      for (const agent of names) yield* report({ ...tokens, agent, model: agent })
      for (const as of ["admin", "read-only"] as const) {
        const json = yield* request("GET", "/api/telemetry/export", { as })
        const csv = yield* request("GET", "/api/telemetry/export?format=csv", { as })
        const [head = [], ...lines] = readCsv(csv.body)
        const column = (name: string) => lines.map((line) => line[head.indexOf(name)])
        assert.deepStrictEqual(
          column("id"),
          json.body.map(({ id }: { readonly id: string }) => id)
        )
        assert.deepStrictEqual(
          column("agent").map((agent) => agent?.replace(/^'/, "")),
          json.body.map(({ agent }: { readonly agent?: string }) => agent ?? "")
        )
        for (const cell of lines.flat()) assert.notMatch(cell, /^[\s\u200b]*[=+\-@＝＋－＠]/u)
        // Whatever a program takes for the end of a line stands in quotes, so a row begins with an id.
        for (const line of csv.body
          .replace(/"(?:[^"]|"")*"/g, "")
          .split(/[\r\n\u2028\u0085]+/)
          .slice(1)) {
          if (line !== "") assert.match(line, /^event_/)
        }
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("holds the newest 100,000 events, each once and in order", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const storage = yield* Storage
      yield* storage.write(
        run(
          (sql) => sql`
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${exportLimit + 5})
            INSERT INTO telemetry (id, type, task_id, created_at, json)
            SELECT 'event_' || i, 'run.started', 'task_1', i, '{"id":' || i || '}' FROM n`
        )
      )
      const { body } = yield* request("GET", "/api/telemetry/export")
      assert.deepStrictEqual(
        body.map(({ id }: { readonly id: number }) => id),
        Array.from({ length: exportLimit }, (_, index) => exportLimit + 5 - index)
      )
      const csv = yield* request("GET", "/api/telemetry/export?format=csv")
      assert.strictEqual(csv.body.split("\r\n").length, exportLimit + 2)
    }).pipe(Effect.provide(world()))
  )
})

/** Reads a CSV as RFC 4180 has it. */
const readCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const records: Array<Array<string>> = []
  let record: Array<string> = []
  for (const [, cell = "", end] of text.matchAll(/("(?:[^"]|"")*"|[^,"\r\n]*)(,|\r\n|$)/g)) {
    record.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === ",") continue
    if (record.length > 1) records.push(record)
    record = []
  }
  return records
}

describe("internal network.egress events", () => {
  it.scopedLive("are seen by admins alone", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* report(started)
      const event = yield* egress
      const seen = (path: string, as: "admin" | "agent" | "read-only") =>
        Effect.map(request("GET", `/api/telemetry/${path}`, { as }), ({ body }) => body)
      for (const as of ["agent", "read-only"] as const) {
        for (const path of ["events", "events/task/task_1", "export"]) {
          assert.deepStrictEqual(types(yield* seen(path, as)), ["run.started"])
        }
        assert.deepStrictEqual(yield* seen("events?type=network.egress", as), [])
        assert.notInclude(yield* seen("export?format=csv", as), "hostKey")
        assert.strictEqual((yield* seen("status", as)).total, 1)
        const count = yield* seen("count", as)
        assert.strictEqual(count.total, 1)
        assert.notProperty(count.byType, "network.egress")
      }
      for (const path of ["events", "events/task/task_1", "export"]) {
        assert.deepStrictEqual((yield* seen(path, "admin"))[0], event)
      }
      assert.strictEqual((yield* seen("count", "admin")).byType["network.egress"], 1)
      const [header, line] = (yield* seen("export?format=csv", "admin")).split("\r\n")
      assert.include(
        header,
        ",runKey,gatewayKey,policyDigest,hostKey,protocol,port,decision,reason,approvalId"
      )
      assert.include(line, ",https,443,deny,host-not-allowed,")
    }).pipe(Effect.provide(world()))
  )
})

describe("recording within a unit", () => {
  it.scopedLive("happens once for an identity", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const storage = yield* Storage
      const identity = "task_1:attempt_1:started"
      const first = yield* storage.write(record(started, system, identity))
      const again = yield* storage.write(record({ ...started, agent: "other" }, system, identity))
      assert.deepStrictEqual(again, first)
      yield* storage.write(record(started, system, "task_1:attempt_2:started"))
      yield* storage.write(record(started, system))
      yield* storage.write(record(started, system))
      assert.strictEqual((yield* request("GET", "/api/telemetry/count")).body.total, 4)
      const told = yield* storage.read(
        Outbox.afterInStream({ resource: "telemetry", resourceId: first.id }, 0, 10)
      )
      assert.strictEqual(told.length, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("happens once when many report the same identity at the same time", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const storage = yield* Storage
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => storage.write(record(started, system, "same"))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(answers.map(({ id }) => id)).size, 1)
      assert.strictEqual((yield* request("GET", "/api/telemetry/count")).body.total, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("knows when the last run of a task started", () => {
    const { layer, step } = steppedClock()
    return Effect.gen(function* () {
      const storage = yield* Storage
      assert.isUndefined(yield* storage.read(lastRunStarted("task_1")))
      yield* report(started)
      yield* step("1 minute")
      yield* report(started)
      yield* step("1 minute")
      yield* report(completed)
      yield* report({ ...started, taskId: "task_2" })
      assert.strictEqual(yield* storage.read(lastRunStarted("task_1")), 60_000)
    }).pipe(Effect.provide(Layer.provide(world(), layer)))
  })
})

describe("permissions on telemetry", () => {
  it.scopedLive("let read-only keys read and nothing else", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const as = "read-only"
      for (const path of ["events", "events/task/t", "status", "count", "export", "export?format=csv"]) {
        assert.strictEqual((yield* request("GET", `/api/telemetry/${path}`, { as })).status, 200)
        assert.strictEqual((yield* request("GET", `/api/telemetry/${path}`, { as: null })).status, 401)
      }
      for (const [path, body] of [
        ["events", started],
        ["events/bulk", { events: [started] }]
      ] as const) {
        const answer = yield* request("POST", `/api/telemetry/${path}`, { as, body })
        assert.strictEqual(answer.status, 403)
        assert.strictEqual(answer.body.details.requiredPermission, "task:write")
      }
    }).pipe(Effect.provide(shared))
  )
})
