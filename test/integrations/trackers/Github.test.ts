import { connect as connectSocket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Redacted } from "effect"
import { RequestPatience } from "../../../src/integrations/trackers/Driver.ts"
import { ask, createTask, getTask } from "../../support/Board.ts"
import { type GithubOptions, github, type Mischief } from "../../support/Github.ts"
import * as Process from "../../support/Process.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { deserted } from "../../support/Stub.ts"
import { readDatabase } from "../../support/TestStorage.ts"
import { keys, send, temporaryDirectory, World, world, worldIn } from "../../support/World.ts"
import { at, board, connect, create, githubProfile, introspect } from "./Trackers.ts"

const key = "hunter2-and-then-some"
const options = { secrets: new Map([["TRACKER_KEY", Redacted.make(key)]]) }

/** A world that waits for a tracker no longer than a second. */
const hasty = world(options).pipe(Layer.provide(Layer.succeed(RequestPatience, 1_000)))

const isCreate: (arrival: { readonly body: unknown }) => boolean = ({ body }) => body !== undefined

/** Does something to the first create alone. */
const firstCreate = (mischief: Mischief): Mischief => {
  let done = false
  return (response, arrival, issues) => {
    if (done || !isCreate(arrival)) return false
    done = true
    return mischief(response, arrival, issues)
  }
}

const answers =
  (status: number, headers: Record<string, string> = {}, body = "{}"): Mischief =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(body)
    return true
  }

const breaksOff: Mischief = (response) => {
  response.destroy()
  return true
}

const hangs: Mischief = () => true

/** Sends a create over a connection that ends with the scope. */
const askAndHangUp = (taskId: string) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* World
    const { hostname, port } = new URL(baseUrl)
    const body = JSON.stringify({ taskId, approvedBy: "Ann" })
    const head = [
      `POST ${at}/profiles/github/create HTTP/1.1`,
      `host: ${hostname}`,
      `x-api-key: ${keys.admin}`,
      "content-type: application/json",
      `content-length: ${body.length}`
    ]
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        const socket = connectSocket(Number(port), hostname)
        socket.write(`${head.join("\r\n")}\r\n\r\n${body}`)
        return socket
      }),
      (socket) => Effect.sync(() => socket.destroy())
    )
  })

describe("a project at GitHub", () => {
  it.scopedLive("is introspected over the connection, with its credential", () =>
    Effect.gen(function* () {
      const labels = ["bug", "area/ui", "area: api", "priority: high", "P1"]
      const tracker = yield* github({ labels, milestones: ["1.0", "2.0"], assignees: ["ann"] })
      yield* connect({
        provider: "github",
        baseUrl: tracker.url,
        project: "acme/board",
        credentialRef: "env:TRACKER_KEY"
      })
      const schema = yield* introspect("github", "acme/board")
      assert.deepStrictEqual(schema.planningPaths, [
        { kind: "project", path: "acme/board" },
        { kind: "area", path: "area/ui" },
        { kind: "area", path: "area: api" },
        { kind: "iteration", path: "1.0" },
        { kind: "iteration", path: "2.0" }
      ])
      const ids = (part: string) => schema[part].map(({ id }: { id: string }) => id)
      assert.deepStrictEqual(ids("tags"), labels)
      assert.deepStrictEqual(ids("priorities"), ["priority: high", "P1"])
      assert.deepStrictEqual(ids("assignees"), ["ann"])
      assert.deepStrictEqual(ids("workItemTypes"), ["issue"])
      assert.deepStrictEqual(schema.incomplete, [])
      for (const { headers } of tracker.requests) {
        assert.strictEqual(headers.authorization, `Bearer ${key}`)
      }
    }).pipe(Effect.provide(world(options)))
  )

  it.scopedLive("with more than anybody reads says which lists go on", () =>
    Effect.gen(function* () {
      const tracker = yield* github({ labels: Array.from({ length: 1_500 }, (_, index) => `label ${index}`) })
      yield* connect({ provider: "github", baseUrl: tracker.url, project: "acme/board" })
      const schema = yield* introspect("github", "acme/board")
      assert.lengthOf(schema.tags, 1_000)
      assert.deepStrictEqual(schema.incomplete, ["tags"])
      assert.notProperty(tracker.requests[0]?.headers, "authorization")
    }).pipe(Effect.provide(world(options)))
  )

  it.scopedLive("that is archived takes no items", () =>
    Effect.gen(function* () {
      const tracker = yield* github({ archived: true })
      yield* board(tracker.url)
      const { id } = yield* createTask()
      const { body, status } = yield* create(id, "github")
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(body.details.issues, [
        { path: "provider", message: "The project of the latest schema takes no new items" }
      ])
      assert.deepStrictEqual(tracker.issues, [])
    }).pipe(Effect.provide(world(options)))
  )
})

describe("an issue for a task", () => {
  it.scopedLive("carries what the profile says, without secrets", () =>
    Effect.gen(function* () {
      const secret = `ghp_${"a1B2".repeat(9)}`
      const tracker = yield* github({
        labels: ["bug", "docs", "area/ui", "priority: high"],
        milestones: ["1.0", "2.0"],
        assignees: ["codex"]
      })
      yield* board(tracker.url, {
        ...githubProfile,
        ...{ defaultAreaPath: "area/ui", defaultIterationPath: "2.0", backlinkFieldId: "body" },
        fieldMappings: [
          ...githubProfile.fieldMappings.slice(0, 1),
          { trackerFieldId: "body", source: "literal", literalValue: "Tell nobody" },
          ...githubProfile.fieldMappings.slice(2)
        ]
      })
      const task = yield* createTask({
        title: "Fix it",
        priority: "high",
        labels: ["Bug", "docs", "unheard-of", secret],
        agents: ["codex", "claude"]
      })
      const { body, status } = yield* create(task.id, "github")
      assert.strictEqual(status, 201, JSON.stringify(body))
      assert.deepInclude(body.backlink, {
        provider: "github",
        repository: "acme/board",
        number: 1,
        id: "1001",
        key: "acme/board#1",
        url: "https://github.example/acme/board/issues/1"
      })
      assert.deepStrictEqual(
        body.warnings.map(({ path }: { path: string }) => path),
        // The secret is gone since the task was made: it is a label that the tracker does not know, like another one.
        ["fields.labels", "fields.assignees"]
      )
      const [issue] = tracker.issues
      assert.deepInclude(issue, {
        title: "Fix it",
        labels: ["bug", "docs", "priority: high", "area/ui"],
        assignees: ["codex"],
        milestone: 2
      })
      assert.match(
        issue?.body ?? "",
        new RegExp(`^Tell nobody\n\nMuster task: ${task.id}\n\n<!-- muster-create:create_\\w+ -->$`)
      )
      assert.notInclude(JSON.stringify(tracker.requests.map(({ text }) => text)), secret)
    }).pipe(Effect.provide(world(options)))
  )

  const refusals: ReadonlyArray<readonly [string, Mischief, object]> = [
    ["401", answers(401), { reason: "credential-refused", retryable: false }],
    ["403", answers(403), { reason: "permission-refused", retryable: false }],
    [
      "403 with a retry-after",
      answers(403, { "retry-after": "17" }),
      { reason: "rate-limited", retryable: true, retryAfterSeconds: 17 }
    ],
    [
      "403 with an allowance that is used up",
      answers(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "0" }),
      { reason: "rate-limited", retryable: true, retryAfterSeconds: 1 }
    ],
    [
      "429",
      answers(429, { "retry-after": "999999" }),
      { reason: "rate-limited", retryable: true, retryAfterSeconds: 3_600 }
    ],
    ["404", answers(404), { reason: "project-not-found", retryable: false }],
    ["410", answers(410), { reason: "issues-disabled", retryable: false }],
    ["422", answers(422), { reason: "item-refused", retryable: false }],
    [
      "a redirect",
      answers(307, { location: "http://127.0.0.1:9/" }),
      { reason: "redirected", retryable: false }
    ]
  ]
  for (const [name, mischief, details] of refusals) {
    it.scopedLive(`is not made when the tracker answers ${name}, and can be made later`, () =>
      Effect.gen(function* () {
        const tracker = yield* github({ before: firstCreate(mischief) })
        yield* board(tracker.url)
        const { id } = yield* createTask()
        const { body, status } = yield* create(id, "github")
        assert.strictEqual(status, 409)
        assert.deepStrictEqual(body.details, { provider: "github", outcome: "nothing-done", ...details })
        assert.notInclude(JSON.stringify(body), key)
        assert.strictEqual((yield* create(id, "github")).status, 201)
        assert.lengthOf(tracker.issues, 1)
      }).pipe(Effect.provide(world(options)))
    )
  }

  it.scopedLive("is not made when nobody listens, and that can be tried again", () =>
    Effect.gen(function* () {
      const tracker = yield* github()
      yield* board(tracker.url)
      const { id } = yield* createTask()
      yield* connect({ provider: "github", baseUrl: yield* deserted, project: "acme/board" })
      const { body, status } = yield* create(id, "github")
      assert.strictEqual(status, 409)
      assert.deepInclude(body, { code: "CONFLICT" })
      const details = { reason: "unreachable", retryable: true, outcome: "nothing-done" }
      assert.deepInclude(body.details, details)
      yield* connect({ provider: "github", baseUrl: tracker.url, project: "acme/board" })
      assert.strictEqual((yield* create(id, "github")).status, 201)
    }).pipe(Effect.provide(world(options)))
  )

  const silences: ReadonlyArray<readonly [string, Mischief, string]> = [
    ["never answers", hangs, "timeout"],
    ["breaks the connection off", breaksOff, "unreachable"],
    ["answers 500", answers(500), "status-500"],
    ["answers half of what it says", answers(201, { "content-length": "999" }, `{"id":1`), "timeout"],
    ["answers what is no issue", answers(201, {}, `{"number":"one"}`), "unexpected-answer"],
    ["answers a list of issues", answers(201, {}, `[{"id":1,"number":1}]`), "unexpected-answer"],
    ["answers a text", answers(201, {}, `"created"`), "unexpected-answer"],
    ["answers null", answers(201, {}, "null"), "unexpected-answer"],
    ["answers a number", answers(201, {}, "1"), "unexpected-answer"],
    ["answers an id of another type", answers(201, {}, `{"id":"1","number":1}`), "unexpected-answer"],
    ["answers a number that is no integer", answers(201, {}, `{"id":1,"number":1.5}`), "unexpected-answer"],
    ["answers another issue", answers(201, {}, `{"id":7,"number":7,"body":"Else"}`), "unexpected-answer"],
    [
      "answers an issue without a text",
      answers(201, {}, `{"id":7,"number":7,"body":null}`),
      "unexpected-answer"
    ],
    ["answers nothing", answers(204), "unexpected-answer"],
    ["answers what is no JSON", answers(201, {}, "<html>"), "unexpected-answer"],
    ["answers without end", answers(201, {}, " ".repeat(9 * 1_048_576)), "response-too-large"]
  ]
  for (const [name, mischief, reason] of silences) {
    it.scopedLive(`is not made a second time when the tracker makes it and ${name}`, () =>
      Effect.gen(function* () {
        const tracker = yield* github({ afterwards: firstCreate(mischief) })
        yield* board(tracker.url)
        const { id } = yield* createTask()
        const { body, status } = yield* create(id, "github")
        assert.strictEqual(status, 409)
        assert.deepInclude(body.details, { reason, outcome: "unknown" })
        assert.deepStrictEqual((yield* getTask(id)).externalWorkItems, [])
        const again = yield* create(id, "github")
        assert.strictEqual(again.status, 201, JSON.stringify(again.body))
        assert.deepInclude(again.body.backlink, { number: 1, key: "acme/board#1" })
        assert.lengthOf(tracker.issues, 1)
      }).pipe(Effect.provide(reason === "timeout" ? hasty : world(options)))
    )
  }

  it.scopedLive("is looked for over several pages, and is the first of those that have its text", () =>
    Effect.gen(function* () {
      const tracker = yield* github({ afterwards: firstCreate(breaksOff) })
      yield* board(tracker.url)
      const { id } = yield* createTask()
      yield* create(id, "github")
      const [issue] = tracker.issues
      for (let number = 2; number <= 120; number++) {
        const copied = number === 100 && issue !== undefined ? issue.body : "Other"
        tracker.issues.push({
          id: number,
          number,
          title: "Other",
          body: copied,
          html_url: "javascript:alert(1)",
          created_at: issue?.created_at ?? ""
        })
      }
      // The copy is newer, and stands on an earlier page than the issue itself.
      const { body } = yield* create(id, "github")
      assert.strictEqual(body.backlink.number, 1)
      assert.lengthOf(tracker.issues, 120)
    }).pipe(Effect.provide(world(options)))
  )

  it.scopedLive("is not made again before the first call can no longer be under way", () => {
    const { layer, step } = steppedClock()
    return Effect.gen(function* () {
      // The call is lost on its way: nothing is made, and nobody can tell.
      const tracker = yield* github({ before: firstCreate(breaksOff) })
      yield* board(tracker.url)
      const { id } = yield* createTask()
      assert.deepInclude((yield* create(id, "github")).body.details, { outcome: "unknown" })
      const waits = { reason: "not-settled", retryable: true, outcome: "unknown" }
      const early = yield* create(id, "github")
      assert.deepInclude(early.body.details, { ...waits, retryAfterSeconds: 60 })
      yield* step(Duration.seconds(59))
      assert.deepInclude((yield* create(id, "github")).body.details, { ...waits, retryAfterSeconds: 1 })
      yield* step(Duration.seconds(1))
      assert.strictEqual((yield* create(id, "github")).status, 201)
      assert.lengthOf(tracker.issues, 1)
    }).pipe(Effect.provide(world(options).pipe(Layer.provide(layer))))
  })

  it.scopedLive("whose fate is unknown is not made at another place instead", () =>
    Effect.gen(function* () {
      const tracker = yield* github({ afterwards: firstCreate(breaksOff) })
      const other = yield* github()
      yield* board(tracker.url)
      const { id } = yield* createTask()
      yield* create(id, "github")
      yield* connect({ provider: "github", baseUrl: other.url, project: "acme/board" })
      const { body, status } = yield* create(id, "github")
      assert.strictEqual(status, 409)
      assert.deepInclude(body.details, { reason: "another-target", outcome: "unknown" })
      assert.deepStrictEqual(other.issues, [])
    }).pipe(Effect.provide(world(options)))
  )

  it.scopedLive("stays unknown when the tracker can't be asked about it", () =>
    Effect.gen(function* () {
      const state: { down: boolean } = { down: false }
      const tracker = yield* github({
        before: (response, arrival, issues) =>
          state.down && !isCreate(arrival) ? answers(503)(response, arrival, issues) : false,
        afterwards: firstCreate(breaksOff)
      })
      yield* board(tracker.url)
      const { id } = yield* createTask()
      yield* create(id, "github")
      state.down = true
      const unknown = yield* create(id, "github")
      assert.deepInclude(unknown.body.details, { reason: "status-503", retryable: true, outcome: "unknown" })
      state.down = false
      assert.strictEqual((yield* create(id, "github")).status, 201)
      assert.lengthOf(tracker.issues, 1)
    }).pipe(Effect.provide(world(options)))
  )

  it.scopedLive("is made once when two ask at the same time, and the second is not kept waiting", () =>
    Effect.gen(function* () {
      const held: Array<() => void> = []
      const tracker = yield* github({
        afterwards: firstCreate((response, _, issues) => {
          held.push(() => answers(201, {}, JSON.stringify(issues[0]))(response, _, issues))
          return true
        })
      })
      yield* board(tracker.url)
      const { id } = yield* createTask()
      const first = yield* Effect.fork(create(id, "github"))
      while (held.length === 0) yield* Effect.sleep(5)
      const second = yield* create(id, "github")
      assert.strictEqual(second.status, 409)
      assert.deepInclude(second.body.details, { retryable: true })
      for (const release of held) release()
      assert.strictEqual((yield* first).status, 201)
      assert.lengthOf(tracker.issues, 1)
    }).pipe(Effect.provide(world(options)))
  )

  it.scopedLive("is finished when whoever asked for it has left", () =>
    Effect.gen(function* () {
      const held: Array<() => void> = []
      const tracker = yield* github({
        afterwards: (response, arrival, issues) => {
          held.push(() => answers(201, {}, JSON.stringify(issues[0]))(response, arrival, issues))
          return true
        }
      })
      yield* board(tracker.url)
      const { id } = yield* createTask()
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* askAndHangUp(id)
          while (held.length === 0) yield* Effect.sleep(5)
        })
      )
      for (const release of held) release()
      while ((yield* getTask(id)).externalWorkItems.length === 0) yield* Effect.sleep(5)
      assert.lengthOf(tracker.issues, 1)
    }).pipe(Effect.provide(world(options)))
  )

  it.scopedLive("is found again by a server that was killed while it waited", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const state: { arrived: boolean } = { arrived: false }
      const tracker = yield* github({
        afterwards: firstCreate(() => {
          state.arrived = true
          return true
        })
      })
      const variables = { SERVICE_SECRETS: "TRACKER_KEY", TRACKER_KEY: key }
      const admin = (baseUrl: string, method: string, path: string, body?: unknown) =>
        send(baseUrl, method, path, { as: "admin", ...(body === undefined ? {} : { body }) })
      const path = `${at}/profiles/github/create`

      const killed = yield* Process.start(directory, variables)
      const { url: baseUrl } = tracker
      const connection = {
        provider: "github",
        baseUrl,
        project: "acme/board",
        credentialRef: "env:TRACKER_KEY"
      }
      yield* admin(killed.baseUrl, "PUT", `${at}/connection`, connection)
      const introspection = { provider: "github", project: "acme/board" }
      yield* admin(killed.baseUrl, "POST", `${at}/introspect`, introspection)
      yield* admin(killed.baseUrl, "PUT", `${at}/profiles/github`, githubProfile)
      const task = (yield* admin(killed.baseUrl, "POST", "/api/tasks", { title: "Fix it" })).body
      const request = { taskId: task.id, approvedBy: "Ann" }
      const lost = yield* Effect.fork(Effect.exit(admin(killed.baseUrl, "POST", path, request)))
      while (!state.arrived) yield* Effect.sleep(5)
      yield* killed.end("SIGKILL")
      yield* lost

      const after = yield* Process.start(directory, variables)
      const [newest] = (yield* admin(after.baseUrl, "GET", `${at}/audits`)).body
      assert.deepInclude(newest, {
        action: "create.unknown",
        reason: "interrupted",
        actor: "system",
        taskId: task.id
      })
      const again = yield* admin(after.baseUrl, "POST", path, request)
      assert.strictEqual(again.status, 201, JSON.stringify(again.body))
      assert.deepInclude(again.body.backlink, { number: 1, approvedBy: "Ann" })
      assert.lengthOf(tracker.issues, 1)
      assert.notInclude(after.output(), key)
    })
  )

  it.scopedLive("that was made and not noted before the server stopped is noted at the next start", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const tracker = yield* github()
      const claim = { provider: "github", repository: "acme/board", number: 1 }
      const task = yield* Effect.gen(function* () {
        yield* board(tracker.url)
        const holder = yield* createTask({ externalWorkItems: [claim] })
        const task = yield* createTask()
        yield* create(task.id, "github")
        yield* ask("DELETE", `/api/tasks/${holder.id}`, { as: "admin" })
        return task
      }).pipe(Effect.provide(worldIn(directory, options)), Effect.scoped)
      const after = yield* getTask(task.id).pipe(Effect.provide(worldIn(directory, options)), Effect.scoped)
      assert.deepInclude(after.externalWorkItems[0], { ...claim, approvedBy: "Ann" })
      assert.strictEqual(after.updatedBy, "system")
    })
  )

  it.scopedLive("leaves the credential nowhere, even when the tracker repeats it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.gen(function* () {
        const options: GithubOptions = {
          labels: [`label ${key}`],
          before: firstCreate(answers(422, {}, JSON.stringify({ message: key })))
        }
        const tracker = yield* github(options)
        yield* board(tracker.url)
        const { id } = yield* createTask()
        const texts = [
          yield* create(id, "github"),
          yield* create(id, "github"),
          yield* ask("GET", `${at}/schema`),
          yield* ask("GET", `${at}/audits`),
          yield* getTask(id)
        ]
        assert.notInclude(JSON.stringify(texts), key)
      }).pipe(Effect.provide(worldIn(directory, options)), Effect.scoped)
      const tables = [
        "singletons",
        "tracker_creations",
        "tracker_audits",
        "tracker_profiles",
        "outbox",
        "audit"
      ]
      for (const table of tables) {
        const rows = yield* readDatabase(directory, (sql) => sql`SELECT * FROM ${sql(table)}`)
        assert.isNotEmpty(rows, table)
        assert.notInclude(JSON.stringify(rows), key, table)
      }
    })
  )
})
