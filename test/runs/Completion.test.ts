import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { ask, createTask, getTask } from "../support/Board.ts"
import { complete, type RunningAttempt, shownSuccess, start, startGateway } from "../support/Runs.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { temporaryDirectory, World, world, worldIn } from "../support/World.ts"

const shared = sharedWorld()

const stop = ({ attemptId, taskId }: Pick<RunningAttempt, "attemptId" | "taskId">) =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", `/api/agents/${taskId}/stop`, { body: { attemptId } })
  )

const statusOf = (taskId: string) => ask("GET", `/api/agents/${taskId}/status`)

const eventsOf = (taskId: string) =>
  Effect.map(ask("GET", `/api/telemetry/events?taskId=${taskId}`), (events) =>
    events.map(({ type }: { type: string }) => type).sort()
  )

describe("the completion of an attempt", () => {
  it.scopedLive("moves its task as it earned, and shows the result there", () =>
    Effect.gen(function* () {
      for (const [claims, status, taskStatus] of [
        [shownSuccess, "success", "done"],
        [{ success: true, summary: "Believe me" }, "partial", "in-progress"],
        [{ status: "blocked", blockers: ["No key"] }, "blocked", "blocked"],
        [{ success: false, summary: "It broke" }, "failed", "in-progress"],
        [{ status: "interrupted" }, "interrupted", "in-progress"]
      ] as const) {
        const running = yield* startGateway()
        const { body } = yield* complete(running, claims)
        assert.deepInclude(body, { status, taskStatus }, JSON.stringify(claims))
        const task = yield* getTask(running.taskId)
        assert.strictEqual(task.status, taskStatus)
        assert.deepInclude(task.attempt, { id: running.attemptId, status })
        assert.deepStrictEqual(task.attempt.completionResult, body.completionResult)
        assert.strictEqual(task.attempt.taskEnvelope.schemaVersion, "task-envelope/v1")
        assert.deepInclude(yield* statusOf(running.taskId), {
          running: false,
          attemptId: running.attemptId,
          status
        })
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("counts once for its run, with the automation of the board or without", () =>
    Effect.gen(function* () {
      for (const autoTelemetry of [true, false]) {
        yield* ask("PATCH", "/api/settings/features", {
          as: "admin",
          body: { enforcement: { autoTelemetry } }
        })
        const running = yield* startGateway()
        yield* complete(running, shownSuccess)
        assert.deepStrictEqual(yield* eventsOf(running.taskId), ["run.completed", "run.started"])
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("keeps the result when a gate refuses done, and the ceremony that the gate asks for", () =>
    Effect.gen(function* () {
      yield* ask("PATCH", "/api/settings/features", {
        as: "admin",
        body: { enforcement: { reviewGate: true } }
      })
      const reviewed = yield* startGateway()
      const { body, status } = yield* complete(reviewed, shownSuccess)
      assert.strictEqual(status, 200)
      assert.deepInclude(body, { status: "success", taskStatus: "in-progress" })
      assert.strictEqual(body.gate.code, "REVIEW_GATE_FAILED")
      assert.strictEqual((yield* getTask(reviewed.taskId)).attempt.completionResult.status, "success")
      yield* ask("PATCH", "/api/settings/features", {
        as: "admin",
        body: { enforcement: { reviewGate: false, ceremonyDesignReview: "block" } }
      })
      const designed = yield* startGateway({ type: "feature", priority: "critical" })
      const again = yield* complete(designed, shownSuccess)
      assert.deepInclude(again.body, { status: "success", taskStatus: "in-progress" })
      assert.strictEqual(again.body.gate.code, "CEREMONY_REQUIRED")
      const { ceremonyId } = again.body.gate.details
      assert.deepInclude(yield* ask("GET", `/api/ceremonies/${ceremonyId}`), { status: "pending" })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive(
    "is taken again without a change when it is the same claim, after a restart too; any other is a 409",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const { first, running } = yield* Effect.gen(function* () {
          const running = yield* startGateway()
          const { body } = yield* complete(running, shownSuccess)
          const { summary, ...rest } = shownSuccess
          assert.deepStrictEqual((yield* complete(running, { summary, ...rest })).body, body)
          assert.strictEqual((yield* complete(running, { ...shownSuccess, summary: "Other" })).status, 409)
          return { running, first: body }
        }).pipe(Effect.provide(worldIn(directory)))
        yield* Effect.gen(function* () {
          const before = yield* getTask(running.taskId)
          const { body, status } = yield* complete(running, shownSuccess)
          assert.strictEqual(status, 200)
          assert.deepStrictEqual(body, first)
          assert.strictEqual((yield* complete(running, { status: "failed" })).status, 409)
          assert.deepStrictEqual(yield* getTask(running.taskId), before)
          assert.deepStrictEqual(yield* eventsOf(running.taskId), ["run.completed", "run.started"])
        }).pipe(Effect.provide(worldIn(directory)))
      })
  )

  it.scopedLive(
    "is refused for another attempt, another manifest, a task that does not exist and a bad body",
    () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const one = yield* startGateway()
        const other = yield* startGateway()
        assert.strictEqual(
          (yield* complete({ ...one, attemptId: other.attemptId }, shownSuccess)).status,
          409
        )
        assert.strictEqual(
          (yield* complete({ ...one, digest: `sha256:${"0".repeat(64)}` }, shownSuccess)).status,
          409
        )
        assert.strictEqual((yield* complete({ ...one, taskId: "task_none" }, shownSuccess)).status, 404)
        for (const claims of [
          {},
          { status: "done" },
          { success: "yes" },
          { success: true, summary: 5 },
          { success: true, status: "failed" },
          { success: true, verification: [{ status: "fine" }] },
          { success: true, attemptId: 7 },
          { success: true, attemptId: "" }
        ]) {
          assert.strictEqual((yield* complete(one, claims)).status, 400, JSON.stringify(claims))
        }
        const path = `/api/agents/${one.taskId}/complete`
        const unbound = yield* request("POST", path, { body: { success: true, attemptId: one.attemptId } })
        assert.strictEqual(unbound.status, 400)
        assert.deepInclude(yield* statusOf(one.taskId), { running: true })
      }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is read by the id of its attempt when another one runs, and of no other task", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const first = yield* startGateway()
      yield* complete(first, { status: "failed" })
      const { body } = yield* start(first.taskId, { agent: "codex" })
      const status = (query: string) => request("GET", `/api/agents/${first.taskId}/status?${query}`)
      assert.deepInclude((yield* status("")).body, { attemptId: body.attemptId, status: "running" })
      const earlier = (yield* status(`attemptId=${first.attemptId}`)).body
      assert.deepInclude(earlier, { attemptId: first.attemptId, status: "failed", running: false })
      assert.strictEqual(earlier.completionResult.status, "failed")
      const elsewhere = yield* startGateway()
      assert.strictEqual((yield* status(`attemptId=${elsewhere.attemptId}`)).status, 409)
      assert.strictEqual((yield* status("attemptId=")).status, 400)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("has one winner against a stop, however many of both there are", () =>
    Effect.gen(function* () {
      const running = yield* startGateway()
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2 === 0 ? complete(running, shownSuccess) : stop(running)
        ),
        { concurrency: "unbounded" }
      )
      const won = new Set(answers.flatMap(({ body, status }) => (status === 200 ? [body.status] : [])))
      assert.strictEqual(won.size, 1)
      for (const { status } of answers) assert.include([200, 409], status)
      assert.deepStrictEqual(yield* eventsOf(running.taskId), ["run.completed", "run.started"])
    }).pipe(Effect.provide(shared))
  )
})

describe("a run", () => {
  it.scopedLive("is stopped once, and answered the same when it is stopped again", () =>
    Effect.gen(function* () {
      const running = yield* startGateway()
      const first = yield* stop(running)
      assert.deepInclude(first.body, { status: "interrupted" })
      assert.deepStrictEqual((yield* stop(running)).body, first.body)
      assert.strictEqual((yield* complete(running, shownSuccess)).status, 409)
      assert.strictEqual((yield* getTask(running.taskId)).status, "in-progress")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("may report the largest counts there are, and its telemetry can still be read", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { attemptId, taskId } = yield* startGateway()
      const most = Number.MAX_SAFE_INTEGER
      const usage = { inputTokens: most, outputTokens: most, cacheReadTokens: most, cacheWriteTokens: most }
      for (const _ of [1, 2]) {
        const { body, status } = yield* request("POST", `/api/agents/${taskId}/tokens`, {
          body: { attemptId, usage }
        })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body.usage, [{ model: null, ...usage, cost: null }])
      }
      const told = yield* ask("GET", `/api/telemetry/events?taskId=${taskId}`)
      assert.lengthOf(
        told.filter(({ cacheTokens }: { cacheTokens?: number }) => cacheTokens === most),
        2
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("counts what it uses in four buckets, each report once, and nothing after its end", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const running = yield* startGateway()
      const { attemptId, taskId } = running
      const tokens = (usage: unknown, id: unknown = attemptId) =>
        request("POST", `/api/agents/${taskId}/tokens`, { body: { attemptId: id, usage } })
      yield* tokens({
        model: "m",
        inputTokens: 1,
        outputTokens: 2,
        cacheReadTokens: 3,
        cacheWriteTokens: 4,
        cacheTokens: 7
      })
      const { body } = yield* tokens({
        model: "m",
        inputTokens: 10,
        outputTokens: 20,
        cacheTokens: 30,
        cost: 0.5
      })
      assert.deepStrictEqual(body.usage, [
        { model: "m", inputTokens: 11, outputTokens: 22, cacheReadTokens: 33, cacheWriteTokens: 4, cost: 0.5 }
      ])
      for (const usage of [
        undefined,
        {},
        { inputTokens: -1, outputTokens: 0 },
        { inputTokens: 1.5, outputTokens: 0 },
        { inputTokens: "1", outputTokens: 0 },
        { inputTokens: 1, outputTokens: 1, cacheReadTokens: 1, cacheTokens: 5 }
      ]) {
        assert.strictEqual((yield* tokens(usage)).status, 400, JSON.stringify(usage))
      }
      assert.strictEqual(
        (yield* request("POST", `/api/agents/${taskId}/tokens`, { body: { usage: {} } })).status,
        400
      )
      assert.strictEqual((yield* tokens({ inputTokens: 1, outputTokens: 1 }, "attempt_other")).status, 409)
      yield* complete(running, shownSuccess)
      assert.strictEqual((yield* tokens({ inputTokens: 1, outputTokens: 1 })).status, 409)
      assert.deepStrictEqual((yield* statusOf(taskId)).usage, body.usage)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is no longer acted on when what it was launched with was changed in the store", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const storage = yield* Storage
      for (const column of ["launch_manifest", "runtime_manifest", "envelope"]) {
        const running = yield* startGateway()
        const { attemptId, taskId } = running
        const found = {
          text: `UPDATE attempts SET ${column} = json_set(${column}, '$.agent', 'mallory') WHERE id = ?`,
          parameters: [attemptId]
        }
        yield* storage.write(run(found))
        assert.strictEqual((yield* stop(running)).status, 409)
        assert.strictEqual((yield* complete(running, shownSuccess)).status, 409)
        for (const [path, body] of [
          ["message", { attemptId, message: "hello" }],
          ["tokens", { attemptId, usage: { inputTokens: 1, outputTokens: 1 } }]
        ] as const) {
          assert.strictEqual((yield* request("POST", `/api/agents/${taskId}/${path}`, { body })).status, 409)
        }
      }
      yield* storage.write(
        run(sql`UPDATE attempts SET state = 'ended', status = 'failed' WHERE state = 'running'`)
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("shows every control with the reason why it is not to be had", () =>
    Effect.gen(function* () {
      const { taskId } = yield* startGateway()
      const { controls, providerRuntimeManifest } = yield* statusOf(taskId)
      assert.strictEqual(controls.manifestDigest, providerRuntimeManifest.digest)
      assert.lengthOf(controls.controls, 11)
      for (const control of controls.controls) {
        assert.isTrue(control.available || control.reason.length > 0, control.action)
      }
      const { id } = yield* createTask()
      assert.deepInclude(yield* statusOf(id), { running: false, attemptId: null })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("keeps its task from being deleted, and its worktree from being taken away", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const running = yield* startGateway()
      assert.strictEqual(
        (yield* request("DELETE", `/api/tasks/${running.taskId}`, { as: "admin" })).status,
        409
      )
      yield* stop(running)
      assert.isBelow((yield* request("DELETE", `/api/tasks/${running.taskId}`, { as: "admin" })).status, 300)
      const again = yield* createTask({ id: running.taskId })
      assert.deepInclude(yield* statusOf(again.id), { attemptId: null, usage: [] })
      assert.strictEqual((yield* start(again.id)).status, 201)
    }).pipe(Effect.provide(shared))
  )
})
