import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { rows, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { ask, createTask, getTask } from "../support/Board.ts"
import { start } from "../support/Runs.ts"
import { type BegunAttempt, beginScript, configureScripts, endOf, until } from "../support/ScriptedAgents.ts"
import { seededComment, seedTask } from "../support/Seed.ts"
import { temporaryDirectory, World, world, worldIn } from "../support/World.ts"

/** Agents that are shell scripts, by what they do. */
const scripts = {
  // It reads its prompt, says something in every way, and claims a success.
  works: `cat >/dev/null
echo '{"type":"message","text":"On it"}'
echo '{"type":"tokens","model":"m","inputTokens":10,"outputTokens":5,"cacheReadTokens":2}'
echo '{"type":"tokens","inputTokens":"many"}'
echo '{"type":"tokens","inputTokens":1,"outputTokens":2,"cacheReadTokens":2,"cacheTokens":5}'
echo plain
echo '{"type":"result","status":"success","summary":"Done","verification":[{"name":"tests","status":"passed"}]}'`,
  silent: "cat >/dev/null",
  lasts: "exec sleep 600",
  fails: "cat >/dev/null; exit 3",
  lies: `cat >/dev/null; echo '{"type":"result","status":"success","summary":"Done"}'; exit 1`,
  blocked: `cat >/dev/null; echo '{"type":"result","status":"blocked","blockers":["No key"]}'`,
  // It ignores who asks it to stop, and so does what it started elsewhere.
  stubborn: `trap '' TERM; (trap '' TERM; exec setsid sleep 600) & echo "$$" > "$MUSTER_RUN_DIR/pid"; while :; do sleep 600; done`,
  tells: `cat > "$MUSTER_RUN_DIR/work/prompt"; env > "$MUSTER_RUN_DIR/work/env"; pwd > "$MUSTER_RUN_DIR/work/place"; cp "$MUSTER_RUN_DIR/task-envelope.json" "$MUSTER_RUN_DIR/launch-manifest.json" "$MUSTER_RUN_DIR/work"`,
  leaks: `cat >/dev/null; printf 'sk-ant-api03-'; sleep 0.2; echo 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStAA'`,
  // Its program is taken away before it starts.
  missing: ""
}

const configure = configureScripts(scripts)

const statusOf = (taskId: string) => ask("GET", `/api/agents/${taskId}/status`)

const eventsOf = ({ attemptId, taskId }: BegunAttempt) =>
  Effect.map(ask("GET", `/api/agents/${taskId}/attempts/${attemptId}/events`), ({ events }) => events)

/** The processes that carry the mark of an attempt. */
const processesOf = (attemptId: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/environ`, "latin1").includes(`MUSTER_ATTEMPT_ID=${attemptId}`)
    } catch {
      return false
    }
  })

describe("an agent that the service runs", () => {
  it.scopedLive("is seen to its end: its events, its usage once, its result, and its task", () =>
    Effect.gen(function* () {
      yield* configure
      const attempt = yield* beginScript("works")
      const { completionResult, usage } = yield* endOf(attempt.taskId)
      assert.deepInclude(completionResult, { status: "success", summary: "Done", terminalSource: "process" })
      assert.deepStrictEqual(completionResult.harnessEvidence.exit, { code: 0, signal: null })
      assert.deepStrictEqual(usage, [
        { model: "m", inputTokens: 10, outputTokens: 5, cacheReadTokens: 2, cacheWriteTokens: 0, cost: null }
      ])
      const events = yield* eventsOf(attempt)
      assert.deepStrictEqual(
        events.map(({ kind }: { kind: string }) => kind),
        ["message", "tokens", "output", "output", "output", "result"]
      )
      assert.strictEqual((yield* getTask(attempt.taskId)).status, "done")
      const told = yield* ask("GET", `/api/telemetry/events?taskId=${attempt.taskId}`)
      assert.deepStrictEqual(told.map(({ type }: { type: string }) => type).sort(), [
        "run.completed",
        "run.started",
        "run.tokens"
      ])
      assert.deepStrictEqual(yield* ask("GET", "/api/agents/register"), [], "it never registers")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("ends as its exit and its last line say, and a claim by callback is refused", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      rmSync(join(yield* configure, "missing"))
      for (const [agent, status, taskStatus] of [
        ["silent", "success", "done"],
        ["fails", "failed", "in-progress"],
        ["lies", "failed", "in-progress"],
        ["blocked", "blocked", "blocked"],
        ["missing", "failed", "in-progress"]
      ] as const) {
        const { attemptId, taskId } = yield* beginScript(agent)
        const { completionResult } = yield* endOf(taskId)
        assert.strictEqual(completionResult.status, status, agent)
        assert.strictEqual((yield* getTask(taskId)).status, taskStatus, agent)
        const callback = yield* request("POST", `/api/agents/${taskId}/complete`, {
          body: { attemptId, providerRuntimeManifestDigest: "sha256:0", success: true }
        })
        assert.strictEqual(callback.status, 409)
      }
      const held = yield* ask("GET", "/api/admission?state=active")
      assert.deepStrictEqual(held, [], "every end gives its capacity back")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("hears its prompt and its documents, and nothing of the server's environment", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      yield* configure
      const { attemptId, taskId } = yield* beginScript("tells", {
        title: "Sail around",
        description: "Do it well"
      })
      yield* endOf(taskId)
      const left = (name: string) => readFileSync(join(directory, "runs", attemptId, "work", name), "utf8")
      assert.include(left("prompt"), "# Sail around")
      assert.include(left("prompt"), "Do it well")
      assert.notMatch(left("prompt"), /muster (begin|done)/)
      assert.strictEqual(JSON.parse(left("task-envelope.json")).attemptId, attemptId)
      assert.strictEqual(JSON.parse(left("launch-manifest.json")).agent, "tells")
      const names = left("env")
        .split("\n")
        .map((line) => line.split("=")[0] ?? "")
      assert.include(names, "MUSTER_ATTEMPT_ID")
      assert.deepStrictEqual(
        names.filter((name) => /^(SERVICE|RELAY|NODE)_/.test(name)),
        []
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive(
    "hears nothing more, and is gone with all that it started when it is stopped, however it resists",
    () =>
      Effect.gen(function* () {
        const { directory, request } = yield* World
        yield* configure
        const { attemptId, taskId } = yield* beginScript("stubborn")
        yield* until(
          Effect.sync(() => existsSync(join(directory, "runs", attemptId, "pid"))),
          (there) => there
        )
        const message = { attemptId, message: "Stop, please" }
        const said = yield* request("POST", `/api/agents/${taskId}/message`, { body: message })
        assert.isFalse(said.body.delivered)
        assert.include(said.body.reason, "reads nothing after its prompt")
        const stop = request("POST", `/api/agents/${taskId}/stop`, { body: { attemptId } })
        const [one, other] = yield* Effect.all([stop, stop], { concurrency: 2 })
        assert.deepInclude(one.body, { status: "interrupted" })
        assert.deepStrictEqual(other.body, one.body)
        assert.deepStrictEqual(processesOf(attemptId), [])
        assert.deepInclude(yield* statusOf(taskId), { running: false, status: "interrupted" })
      }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves no secret in a row, a file or an answer, also where one comes in two pieces", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      yield* configure
      const attempt = yield* beginScript("leaks")
      yield* endOf(attempt.taskId)
      assert.notInclude(JSON.stringify(yield* eventsOf(attempt)), "AbCdEfGhIjKlMnOpQrStUvWxYz")
      for (const name of readdirSync(directory).filter((one) => one.startsWith("muster.db"))) {
        assert.notInclude(readFileSync(join(directory, name), "latin1"), "AbCdEfGhIjKlMnOpQrStUvWxYz", name)
      }
    }).pipe(Effect.provide(world()))
  )
})

describe("a server that ends while an agent works", () => {
  it.scopedLive("leaves no process, and says at its next start that the run was interrupted", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const attempt = yield* Effect.gen(function* () {
        yield* configure
        const attempt = yield* beginScript("stubborn")
        yield* until(
          Effect.sync(() => existsSync(join(directory, "runs", attempt.attemptId, "pid"))),
          (there) => there
        )
        return attempt
      }).pipe(Effect.provide(worldIn(directory)))
      assert.deepStrictEqual(processesOf(attempt.attemptId), [])
      yield* Effect.gen(function* () {
        const { completionResult } = yield* endOf(attempt.taskId)
        assert.deepInclude(completionResult, { status: "interrupted", terminalSource: "restart" })
        assert.strictEqual((yield* getTask(attempt.taskId)).status, "in-progress")
        assert.deepStrictEqual(yield* ask("GET", "/api/admission?state=active"), [])
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})

describe("a launch that finds no room", () => {
  const limit = (runs: number) =>
    ask("PATCH", "/api/settings/features", {
      as: "admin",
      body: { admission: { limits: { workspace: { runs } } } }
    })

  /** How often the end of an attempt was told. */
  const endsOf = (attemptId: string) =>
    rows(sql`SELECT COUNT(*) AS told FROM outbox WHERE kind = 'attempt.ended' AND resource_id = ${attemptId}`)

  it.scopedLive("waits, begins once by itself when there is room, and is launched again by nobody", () =>
    Effect.gen(function* () {
      yield* configure
      yield* limit(1)
      const first = yield* beginScript("lasts")
      const { id } = yield* createTask()
      const waits = yield* start(id, { agent: "works" }, { "x-idempotency-key": "once-and-for-all" })
      assert.strictEqual(waits.status, 201)
      assert.deepInclude(waits.body, { status: "queued", agent: "works" })
      assert.deepStrictEqual(waits.body.limitingScopes, [{ scope: "workspace", scopeId: "default" }])
      const again = yield* start(id, { agent: "works" }, { "x-idempotency-key": "once-and-for-all" })
      assert.deepStrictEqual(again.body, waits.body)
      assert.strictEqual((yield* start(id, { agent: "works" })).status, 409)
      assert.deepInclude(yield* statusOf(id), {
        running: false,
        status: "queued",
        attemptId: waits.body.attemptId
      })
      assert.strictEqual((yield* getTask(id)).status, "todo")
      yield* ask("POST", `/api/agents/${first.taskId}/stop`, { body: { attemptId: first.attemptId } })
      const { attemptId, status } = yield* endOf(id)
      assert.deepStrictEqual([attemptId, status], [waits.body.attemptId, "success"])
      assert.lengthOf((yield* getTask(id)).attempts, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves the queue when it is stopped, or cancelled there, and never runs", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* configure
      yield* limit(1)
      const first = yield* beginScript("lasts")
      for (const leave of [
        ({ attemptId, taskId }: BegunAttempt) =>
          request("POST", `/api/agents/${taskId}/stop`, { body: { attemptId } }),
        ({ queueId }: { queueId: string }) =>
          request("POST", `/api/admission/queue/${queueId}/cancel`, { as: "admin", body: {} })
      ]) {
        const { id } = yield* createTask()
        const { body } = yield* start(id, { agent: "works" })
        const answer = yield* leave(body)
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        assert.deepInclude(yield* statusOf(id), { running: false, status: "interrupted" })
        const entry = yield* ask("GET", `/api/admission/queue/${body.queueId}`)
        assert.strictEqual(entry.entry.state, "terminal")
      }
      assert.strictEqual((yield* statusOf(first.taskId)).status, "running")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("ends once when it is withdrawn from a task that has no room to show it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* configure
      yield* limit(1)
      yield* beginScript("lasts")
      const comments = Arr.makeBy(51, (index) => ({
        id: `comment_${index}`,
        text: "x".repeat(20_000),
        ...seededComment
      }))
      yield* seedTask("full", {}, { comments })
      for (const size of [20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50]) {
        yield* request("POST", "/api/tasks/full/comments", { body: { text: "y".repeat(size) } })
      }
      const { body } = yield* start("full", { agent: "works" })
      assert.deepInclude(body, { status: "queued" })
      const { revision } = yield* getTask("full")
      const { status } = yield* request("POST", "/api/agents/full/stop", {
        body: { attemptId: body.attemptId }
      })
      assert.strictEqual(status, 200)
      assert.deepInclude(yield* statusOf("full"), { running: false, status: "interrupted" })
      const told = yield* Effect.flatMap(Storage, ({ read }) => read(endsOf(body.attemptId)))
      assert.deepStrictEqual(told, [{ told: 1 }])
      assert.strictEqual((yield* getTask("full")).revision, revision)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive(
    "is refused for good by a limit of 0, and for now by a queue that is off: no attempt is left",
    () =>
      Effect.gen(function* () {
        yield* configure
        yield* limit(0)
        const { id } = yield* createTask()
        const denied = yield* start(id, { agent: "works" })
        assert.deepInclude(denied.body, { code: "ADMISSION_POLICY_DENIED" })
        assert.strictEqual(denied.body.details.terminal, true)
        yield* limit(1)
        yield* ask("PATCH", "/api/settings/features", {
          as: "admin",
          body: { admission: { queue: { enabled: false } } }
        })
        yield* beginScript("lasts")
        const overload = yield* start(id, { agent: "works" })
        assert.deepInclude(overload.body, { code: "ADMISSION_OVERLOAD" })
        assert.property(overload.body.details, "retryAfterMs")
        assert.isNull((yield* statusOf(id)).attemptId)
      }).pipe(Effect.provide(world()))
  )
})
