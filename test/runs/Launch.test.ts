import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, createTask, getTask } from "../support/Board.ts"
import { complete, registerCodex, shownSuccess, start, startGateway } from "../support/Runs.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { temporaryDirectory, World, world, worldIn } from "../support/World.ts"

const shared = sharedWorld()

const key = (value: string) => ({ "x-idempotency-key": value })

const preview = (taskId: string, body: object = {}, as: "agent" | "read-only" = "agent") =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", `/api/agents/${taskId}/launch-preview`, { body, as })
  )

const attemptOf = (taskId: string) =>
  Effect.map(ask("GET", `/api/agents/${taskId}/status`), ({ attemptId }) => attemptId)

describe("a start", () => {
  it.scopedLive(
    "binds the attempt to three documents that know each other, and puts the task in progress",
    () =>
      Effect.gen(function* () {
        const { taskId } = yield* startGateway({ executionPolicy: { commitPolicy: "forbidden" } })
        const { providerRuntimeManifest, runLaunchManifest, taskEnvelope } = yield* ask(
          "GET",
          `/api/agents/${taskId}/status`
        )
        assert.strictEqual(runLaunchManifest.providerRuntime.digest, providerRuntimeManifest.digest)
        assert.strictEqual(taskEnvelope.launchManifest.digest, runLaunchManifest.digest)
        assert.strictEqual(taskEnvelope.commitPolicy, "forbidden")
        assert.deepStrictEqual(taskEnvelope.workspace, {
          path: null,
          baseline: { headSha: null, dirty: false, files: [] }
        })
        assert.strictEqual((yield* getTask(taskId)).status, "in-progress")
        yield* ask("PATCH", `/api/tasks/${taskId}`, { body: { title: "Another title" } })
        const after = yield* ask("GET", `/api/agents/${taskId}/status`)
        assert.deepStrictEqual(after.taskEnvelope, taskEnvelope)
      }).pipe(Effect.provide(shared))
  )

  it.scopedLive("counts once under its key, whoever asks again and after a restart; the header wins", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { answer, taskId } = yield* Effect.gen(function* () {
        yield* registerCodex
        const { id: taskId } = yield* createTask()
        const first = yield* start(taskId, { idempotencyKey: "in-the-body" }, key("in-the-header"))
        assert.strictEqual(first.status, 201)
        const again = yield* start(taskId, { idempotencyKey: "another-one" }, key("in-the-header"))
        assert.deepStrictEqual(again.body, first.body)
        assert.strictEqual((yield* start(taskId, {}, key("in-the-body"))).status, 409)
        return { answer: first.body, taskId }
      }).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        assert.deepStrictEqual((yield* start(taskId, { idempotencyKey: "in-the-header" })).body, answer)
        assert.strictEqual((yield* start(taskId, { phase: "plan" }, key("in-the-header"))).status, 409)
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )

  it.scopedLive("makes one attempt of fifty equal starts at once, and one of fifty without a key", () =>
    Effect.gen(function* () {
      yield* registerCodex
      const keyed = yield* createTask()
      const equal = yield* Effect.all(
        Array.from({ length: 50 }, () => start(keyed.id, {}, key("all-the-same"))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf([...new Set(equal.map(({ body }) => JSON.stringify(body)))], 1)
      assert.isTrue(equal.every(({ status }) => status === 201))
      const keyless = yield* createTask()
      const racing = yield* Effect.all(
        Array.from({ length: 50 }, () => start(keyless.id)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        racing.filter(({ status }) => status === 201),
        1
      )
      assert.lengthOf(
        racing.filter(({ status }) => status === 409),
        49
      )
      assert.lengthOf((yield* getTask(keyless.id)).attempts, 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("takes its commit policy from the run, else from the task, else allows commits", () =>
    Effect.gen(function* () {
      for (const [task, run, expected, origin] of [
        [{ executionPolicy: { commitPolicy: "forbidden" } }, { commitPolicy: "required" }, "required", "run"],
        [{ executionPolicy: { commitPolicy: "forbidden" } }, {}, "forbidden", "task"],
        [{}, {}, "allowed", "default"]
      ] as const) {
        const { id } = yield* createTask(task)
        const { body } = yield* preview(id, { agent: "codex", ...run })
        assert.strictEqual(body.manifest.commitPolicy, expected)
        assert.strictEqual(body.manifest.origins.commitPolicy, origin)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is refused with what is missing, and leaves no attempt", () =>
    Effect.gen(function* () {
      yield* registerCodex
      const { id } = yield* createTask()
      const capable = yield* start(id, { requiredRuntimeCapabilities: ["no-such"] })
      assert.strictEqual(capable.status, 409)
      assert.deepInclude(capable.body.details, { requiredCapabilities: ["no-such"] })
      for (const field of ["reasons", "manifest", "remediation", "blockers"]) {
        assert.property(capable.body.details, field)
      }
      for (const [body, status] of [
        [{ agent: "nobody" }, 404],
        [{ profileId: "nobody" }, 404],
        [{ sandboxPresetId: "read-only" }, 409],
        [{ parentAttemptId: "attempt_none" }, 404],
        [{ phase: "deploy" }, 400],
        [{ commitPolicy: "maybe" }, 400],
        [{ requiredRuntimeCapabilities: "x" }, 400],
        [{ idempotencyKey: "short12" }, 400],
        [{ idempotencyKey: "x".repeat(241) }, 400],
        [{ idempotencyKey: "no-text-\ud800" }, 400],
        [{ requiredRuntimeCapabilities: [" "] }, 400],
        [{ agent: ["codex"] }, 400]
      ] as const) {
        assert.strictEqual((yield* start(id, body)).status, status, JSON.stringify(body))
      }
      assert.strictEqual((yield* start(id, {}, key("short12"))).status, 400)
      assert.strictEqual((yield* start("task_none", {})).status, 404)
      assert.isNull(yield* attemptOf(id))
      assert.strictEqual((yield* getTask(id)).status, "todo")
      assert.strictEqual((yield* start(id, { idempotencyKey: "x".repeat(240) })).status, 201)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is not for an archived task", () =>
    Effect.gen(function* () {
      yield* registerCodex
      const { id } = yield* createTask()
      yield* ask("POST", `/api/tasks/${id}/archive`, { as: "admin", body: {} })
      assert.strictEqual((yield* start(id)).status, 409)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("without an agent goes to the configured default, and says so when there is none", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const none = yield* request("POST", `/api/agents/${id}/start`, { as: "admin", body: {} })
      assert.strictEqual(none.status, 409)
      assert.include(none.body.error, "default")
      yield* ask("PUT", "/api/config/agents", {
        as: "admin",
        body: { agents: [{ type: "distant", name: "Distant", provider: "gateway", enabled: true }] }
      })
      yield* ask("PUT", "/api/config/default-agent", { as: "admin", body: { agent: "distant" } })
      const started = yield* request("POST", `/api/agents/${id}/start`, { as: "admin", body: {} })
      assert.deepInclude(started.body, { agent: "distant", provider: "gateway" })
      yield* ask("PUT", "/api/config/agents", {
        as: "admin",
        body: { agents: [{ type: "distant", name: "Distant", provider: "gateway", enabled: false }] }
      })
      const other = yield* createTask()
      assert.strictEqual((yield* start(other.id, { agent: "distant" })).status, 409)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused while an operator blocks the provider, and let through again by allow", () =>
    Effect.gen(function* () {
      yield* registerCodex
      const { id } = yield* createTask()
      const override = (mode: string) =>
        ask("POST", "/api/health/dependency-circuits/provider:codex/override", {
          as: "admin",
          body: { mode, reason: "maintenance", durationSeconds: 60 }
        })
      yield* preview(id)
      yield* override("block")
      const blocked = yield* preview(id)
      assert.strictEqual(blocked.body.blockers[0].code, "circuit-open")
      assert.strictEqual((yield* start(id)).status, 409)
      yield* override("allow")
      assert.strictEqual((yield* start(id)).status, 201)
    }).pipe(Effect.provide(world()))
  )
})

/** Agents that can't be started, by what is wrong with them. */
const unfit = [
  { type: "off", provider: "gateway", enabled: false },
  { type: "spoken", provider: "acp", enabled: true, command: "/bin/true" },
  { type: "threaded", provider: "app-server", enabled: true, command: "/bin/true" },
  { type: "boxed", provider: "gateway", enabled: true, sandboxPresetId: "read-only" }
].map((agent) => ({ name: agent.type, ...agent }))

describe("what stands against a launch", () => {
  it.scopedLive("is the same in its preview, in its manifest and in the refusal of its start", () =>
    Effect.gen(function* () {
      yield* ask("PUT", "/api/config/agents", { as: "admin", body: { agents: unfit } })
      const { id } = yield* createTask()
      for (const [body, code] of [
        [{ agent: "off" }, "agent-disabled"],
        [{ agent: "spoken" }, "adapter-missing"],
        [{ agent: "threaded" }, "adapter-missing"],
        [{ agent: "boxed" }, "sandbox-unknown"],
        [{ agent: "spoken", requiredRuntimeCapabilities: ["no-such"] }, "adapter-missing"]
      ] as const) {
        const shown = yield* preview(id, body)
        assert.strictEqual(shown.status, 200, JSON.stringify(shown.body))
        const { blockers, manifest } = shown.body
        assert.strictEqual(blockers[0].code, code)
        assert.deepStrictEqual(manifest.enforcement.blockers, blockers)
        assert.isFalse(manifest.enforcement.enforceable)
        const refused = yield* start(id, body)
        assert.strictEqual(refused.status, 409)
        assert.deepStrictEqual(refused.body.details.blockers, blockers)
        assert.include(refused.body.error, refused.body.details.remediation)
      }
      assert.isNull(yield* attemptOf(id))
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is the memory that its agent takes, when there is less", () =>
    Effect.gen(function* () {
      const heavy = { type: "heavy", name: "Heavy", provider: "gateway", enabled: true, memoryMb: 2_048 }
      yield* ask("PUT", "/api/config/agents", { as: "admin", body: { agents: [heavy] } })
      const limit = (memoryMb: number) =>
        ask("PATCH", "/api/settings/features", {
          as: "admin",
          body: { admission: { limits: { host: { memoryMb } } } }
        })
      const { id } = yield* createTask()
      yield* limit(2_047)
      assert.strictEqual((yield* start(id, { agent: "heavy" })).body.code, "ADMISSION_POLICY_DENIED")
      yield* limit(4_095)
      assert.strictEqual((yield* start(id, { agent: "heavy" })).body.status, "running")
      const other = yield* createTask()
      assert.strictEqual((yield* start(other.id, { agent: "heavy" })).body.status, "queued")
    }).pipe(Effect.provide(world()))
  )
})

describe("a preview", () => {
  it.scopedLive(
    "shows readers what a start would launch, creates nothing, and names what differs from the parent",
    () =>
      Effect.gen(function* () {
        const running = yield* startGateway({ executionPolicy: { commitPolicy: "forbidden" } })
        yield* complete(running, shownSuccess)
        const { body, status } = yield* preview(
          running.taskId,
          { agent: "codex", commitPolicy: "required", parentAttemptId: running.attemptId },
          "read-only"
        )
        assert.strictEqual(status, 200)
        assert.strictEqual(body.manifest.schemaVersion, "run-launch-manifest/v1")
        assert.notProperty(body.manifest, "attemptId")
        assert.strictEqual(body.parentAttemptId, running.attemptId)
        assert.deepInclude(body.drift, { field: "commitPolicy", parent: "forbidden", now: "required" })
        assert.deepInclude(body.dependencyCircuits, { key: "provider:codex", state: "closed" })
        assert.strictEqual(yield* attemptOf(running.taskId), running.attemptId)
        const alone = yield* preview(running.taskId, { agent: "codex" })
        assert.notProperty(alone.body, "drift")
      }).pipe(Effect.provide(shared))
  )
})
