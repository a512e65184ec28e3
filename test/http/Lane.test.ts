import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpServerResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, HashMap, Layer, Logger, LogLevel, Runtime, Schema } from "effect"
import { ContractTables } from "../../src/http/ContractTables.ts"
import type { WritingLane } from "../../src/http/Lane.ts"
import { ServerAddress } from "../../src/http/Server.ts"
import { Authorization, Requires } from "../../src/kernel/Authorization.ts"
import { AnyFailure } from "../../src/kernel/Failures.ts"
import { actorGuards } from "../../src/kernel/RouteGuard.ts"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { createTask } from "../support/Board.ts"
import { layerOwnServer } from "../support/OwnServer.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { type As, send, World, world } from "../support/World.ts"

const shared = sharedWorld()

/** Headers that differ from request to request. */
const ofTheMoment = new Set(["date", "x-request-id"])

const lasting = (headers: Headers) => [...headers].filter(([name]) => !ofTheMoment.has(name)).sort()

describe("the lanes for reading tasks", () => {
  it.scopedLive("answer one task byte for byte as the route does", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { body } = yield* request("POST", "/api/tasks", {
        body: { title: "Ünïcödé 🙂", labels: ["a"], description: "text" }
      })
      // A question mark sends a request past the lane.
      const lane = yield* request("GET", `/api/tasks/${body.id}`)
      const route = yield* request("GET", `/api/tasks/${body.id}?`)
      assert.strictEqual(lane.status, 200)
      assert.deepStrictEqual(lane.body, route.body)
      assert.deepStrictEqual(lasting(lane.headers), lasting(route.headers))
    }).pipe(Effect.provide(shared))
  )

  for (const path of ["/api/tasks", "/api/tasks?limit=2", "/api/tasks?limit=9999"]) {
    it.scopedLive(`answer ${path} byte for byte as the route does`, () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const origin = { externalWorkItems: [{ provider: "github", repository: "o/r", number: 1 }] }
        for (const title of ["A", "B", "C"]) yield* request("POST", "/api/tasks", { body: { title } })
        const past = `${path}${path.includes("?") ? "&" : "?"}`
        const compare = Effect.gen(function* () {
          const lane = yield* request("GET", path)
          const route = yield* request("GET", past)
          assert.strictEqual(lane.status, 200)
          assert.deepStrictEqual(lane.body, route.body)
          assert.deepStrictEqual(lasting(lane.headers), lasting(route.headers))
          return lane
        })
        assert.strictEqual((yield* compare).headers.get("x-total-count"), "3")
        const lines = [1, 2].map((n) => JSON.stringify({ id: `dup-${n}`, title: `Dup ${n}`, ...origin }))
        yield* request("POST", "/api/tasks/import", {
          as: "admin",
          raw: lines.join("\n"),
          headers: { "content-type": "application/x-ndjson" }
        })
        assert.strictEqual((yield* compare).body.meta.taskIdentityDiagnostics.conflictCount, 1)
      }).pipe(Effect.provide(world()))
    )
  }

  it.scopedLive(
    "answer each of many requests that come in together with its own, and leave what is not there to the route",
    () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const titles = Array.from({ length: 20 }, (_, n) => `Task ${n}`)
        const ids = yield* Effect.forEach(titles, (title) =>
          Effect.map(request("POST", "/api/tasks", { body: { title } }), ({ body }) => String(body.id))
        )
        const asked = ids.flatMap((id, n) => [
          { path: `/api/tasks/${id}`, told: titles[n] },
          { path: `/api/tasks/gone-${n}`, told: "NOT_FOUND" }
        ])
        const answers = yield* Effect.forEach(asked, ({ path }) => request("GET", path), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          answers.map(({ body }) => body.title ?? body.code),
          asked.map(({ told }) => told)
        )
      }).pipe(Effect.provide(shared))
  )

  it.scopedLive("leave every refusal to the route", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const unknown = yield* request("GET", "/api/tasks/nope")
      assert.strictEqual(unknown.status, 404)
      assert.deepInclude(unknown.body, { code: "NOT_FOUND" })
      const stranger = yield* request("GET", "/api/tasks/nope", {
        as: null,
        headers: { "x-api-key": "wrong" }
      })
      assert.strictEqual(stranger.status, 401)
      assert.deepInclude(stranger.body, { code: "UNAUTHORIZED" })
      assert.strictEqual((yield* request("GET", "/api/tasks/counts")).body.total, 0)
    }).pipe(Effect.provide(world()))
  )
})

/** What is sent to a task, and the status that answers it. */
interface Sent {
  readonly what: string
  readonly status: number
  readonly body?: unknown
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly as?: As
  readonly before?: "archived" | "gone"
}

const claimed = [{ provider: "github", repository: "o/r", number: 1 }]

const patches: ReadonlyArray<Sent> = [
  { what: "a change", status: 200, body: { title: "Changed", description: null } },
  { what: "a change with a precondition that holds", status: 200, body: {}, headers: { "if-match": "*" } },
  { what: "nothing", status: 200, body: {} },
  { what: "a new status", status: 200, body: { status: "blocked" } },
  { what: "a stale revision", status: 409, body: { title: "Late" }, headers: { "x-resource-revision": "7" } },
  { what: "a precondition that is none", status: 400, body: { title: "Late" }, headers: { "if-match": "7" } },
  { what: "an identity that another task has", status: 409, body: { externalWorkItems: claimed } },
  { what: "evidence of a run", status: 400, body: { attempt: { id: "a", taskEnvelope: {} } } },
  { what: "a field of another type", status: 400, body: { title: 7 } },
  { what: "no JSON", status: 400, raw: "{" },
  { what: "a change of a task that is gone", status: 404, body: { title: "Late" }, before: "gone" },
  { what: "a change of an archived task", status: 409, body: { title: "Late" }, before: "archived" },
  { what: "a change by a reader", status: 403, body: { title: "Late" }, as: "read-only" }
]

describe("the lane for patching tasks", () => {
  it.scopedLive("answers byte for byte as the route does, refusals too", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* request("POST", "/api/tasks", { body: { title: "Claims it", externalWorkItems: claimed } })
      /** Sends a patch to a task of its own, and gives the answer without what differs from task to task. */
      const answerTo = ({ as = "agent", before, body, headers = {}, raw }: Sent, past: "" | "?") =>
        Effect.gen(function* () {
          const { id } = (yield* request("POST", "/api/tasks", { body: { title: "A task" } })).body
          if (before === "gone") yield* request("DELETE", `/api/tasks/${id}`, { as: "admin" })
          if (before === "archived") yield* request("POST", `/api/tasks/${id}/archive`)
          const answer = yield* request("PATCH", `/api/tasks/${id}${past}`, {
            as,
            headers,
            ...(raw === undefined
              ? { body }
              : { raw, headers: { ...headers, "content-type": "application/json" } })
          })
          return JSON.stringify([answer.status, answer.body, lasting(answer.headers)])
            .replaceAll(id, "the-task")
            .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
            .replace(/"position":\d+/g, '"position":0')
            .replace(/"content-length","\d+"/, '"content-length","0"')
        })
      for (const sent of patches) {
        const [lane, route] = [yield* answerTo(sent, ""), yield* answerTo(sent, "?")]
        assert.strictEqual(lane, route, sent.what)
        assert.strictEqual(JSON.parse(lane)[0], sent.status, sent.what)
      }
    }).pipe(Effect.provide(shared))
  )
})

/** A contract of one write, that does to storage what its path says. */
const FaultApi = HttpApi.make("faults")
  .add(
    HttpApiGroup.make("faults")
      .add(
        HttpApiEndpoint.patch("fault", "/tasks/:fault")
          .setPath(Schema.Struct({ fault: Schema.String }))
          .addSuccess(Schema.String)
          .annotate(Requires, "task:write")
      )
      .middleware(Authorization)
      .prefix("/api")
  )
  .addError(AnyFailure)

/** A line of the log: what it says, of which fault, and of which request. */
type Line = readonly [message: unknown, fault: unknown, requestId: unknown]

/** A server with a route and a lane for the same write, its log, and how often the unit of that write has run. */
const faulty = Effect.gen(function* () {
  const storage = yield* Storage
  const fork = Runtime.runFork(yield* Effect.runtime<never>())
  const log: Array<Line> = []
  let runs = 0
  const dying = Effect.suspend(() => {
    runs += 1
    return Effect.die(new Error("sEcReT"))
  })
  /** The unit of a fault; that of a full queue comes after others have filled it. */
  const unitOf = (fault: string) => {
    if (fault === "full") for (let index = 0; index < 10_000; index++) fork(storage.write(Effect.void))
    return dying
  }
  const lane: WritingLane = {
    method: "PATCH",
    admits: () => true,
    unit: ({ request }) => {
      const fault = /^\/api\/tasks\/(\w+)$/.exec(request.url ?? "")?.[1]
      return fault === undefined
        ? undefined
        : Effect.as(unitOf(fault), HttpServerResponse.unsafeJson("written"))
    },
    refusals: () => undefined
  }
  const handlers = HttpApiBuilder.group(FaultApi, "faults", (all) =>
    all.handle("fault", ({ path }) => Effect.as(storage.write(unitOf(path.fault)), "written"))
  )
  const logger = Logger.make(({ annotations, cause, message }) => {
    const requestId = HashMap.get(annotations, "requestId")
    log.push([message, Cause.squash(cause), requestId._tag === "Some" ? requestId.value : undefined])
  })
  const server = layerOwnServer(
    HttpApiBuilder.api(FaultApi).pipe(Layer.provide(handlers)),
    ContractTables.layer(FaultApi, actorGuards),
    [lane]
  )
  const context = yield* Layer.build(
    Layer.provide(server, [
      Logger.replace(Logger.defaultLogger, logger),
      Logger.minimumLogLevel(LogLevel.Info)
    ])
  )
  return { baseUrl: Context.get(context, ServerAddress).baseUrl, log, countRuns: () => runs }
})

describe("a defect of a lane's write", () => {
  for (const { code, fault, name, runs, status } of [
    { fault: "dies", code: "INTERNAL_ERROR", status: 500, name: "Error", runs: 1 },
    { fault: "full", code: "STORAGE_UNAVAILABLE", status: 503, name: "StorageOverloaded", runs: 0 }
  ]) {
    it.scopedLive(`is told as the route tells it, and the work is not done again (${code})`, () =>
      Effect.gen(function* () {
        const { baseUrl, countRuns, log } = yield* faulty
        const meet = (past: "" | "?") =>
          Effect.gen(function* () {
            const [linesBefore, runsBefore] = [log.length, countRuns()]
            const answer = yield* send(baseUrl, "PATCH", `/api/tasks/${fault}${past}`, {
              headers: { "x-request-id": "the-request" }
            })
            assert.strictEqual(countRuns() - runsBefore, runs)
            const lines = log.slice(linesBefore)
            assert.deepStrictEqual(
              lines.map(([message, met, requestId]) => [
                message,
                met instanceof Error && met.name,
                requestId
              ]),
              [[["A request failed"], name, "the-request"]]
            )
            return { status: answer.status, body: answer.body, headers: lasting(answer.headers) }
          })
        const lane = yield* meet("")
        assert.deepStrictEqual(lane, yield* meet("?"))
        assert.strictEqual(lane.status, status)
        assert.strictEqual(lane.body.code, code)
        assert.notInclude(JSON.stringify(lane), "sEcReT")
      }).pipe(Effect.provide(world()))
    )
  }

  it.scopedLive("that storage met is told byte for byte as the route tells it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const storage = yield* Storage
      const { id } = yield* createTask()
      yield* storage.write(run(sql`DROP TABLE task_documents`))
      const answerTo = (path: string) =>
        Effect.map(
          request("PATCH", path, { body: { title: "sEcReT" }, headers: { "x-request-id": "the-request" } }),
          ({ body, headers, status }) => ({ status, body, headers: lasting(headers) })
        )
      const lane = yield* answerTo(`/api/tasks/${id}`)
      assert.deepStrictEqual(lane, yield* answerTo(`/api/tasks/${id}?`))
      assert.strictEqual(lane.status, 500)
    }).pipe(Effect.provide(world()))
  )
})
