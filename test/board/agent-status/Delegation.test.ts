import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { AgentStatuses } from "../../../src/board/agent-status/AgentStatuses.ts"
import { DelegationWarnings } from "../../../src/board/agent-status/DelegationWarnings.ts"
import { SquadChat } from "../../../src/board/squad/SquadChat.ts"
import { TaskNotFound } from "../../../src/board/tasks/Errors.ts"
import { createTask } from "../../../src/board/tasks/TaskCreate.ts"
import * as TaskRepo from "../../../src/board/tasks/TaskRepo.ts"
import { system } from "../../../src/kernel/Actor.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { temporaryDirectory, World, world } from "../../support/World.ts"

const shared = sharedWorld()

/** The rooms with the gate orchestratorDelegation on, and what they log. */
const withWarnings = (log: Array<string>) =>
  Layer.mergeAll(AgentStatuses.layer, SquadChat.layer).pipe(
    Layer.provide(Layer.succeed(DelegationWarnings, { enabled: Effect.succeed(true) })),
    Layer.provideMerge(
      Layer.unwrapScoped(Effect.map(temporaryDirectory, (directory) => Storage.layerSqlite({ directory })))
    ),
    Layer.provide(NodeContext.layer),
    Layer.merge(
      Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ message }) => log.push(String(message)))
      )
    )
  )

describe("a delegation report", () => {
  it.scopedLive("is recorded without a warning while the gate is off", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const storage = yield* Storage
      const task = yield* request("POST", "/api/tasks", { body: { title: "Docs" } })
      const report = {
        agent: "orchestrator",
        taskId: task.body.id,
        action: "edited the docs",
        details: { files: ["README.md"], lines: 12 }
      }
      const reported = yield* request("POST", "/api/agent/status/delegation-violation", { body: report })
      assert.strictEqual(reported.status, 200)
      const { createdAt, id, ...content } = reported.body
      assert.match(id, /^violation_/)
      assert.match(createdAt, /^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z$/)
      assert.deepStrictEqual(content, { ...report, warning: null })
      const stored = yield* storage.select<{ json: string }>(
        (sql) => sql`SELECT json FROM delegation_violations WHERE id = ${id}`
      )
      assert.deepStrictEqual(
        stored.map(({ json }) => JSON.parse(json)),
        [reported.body]
      )
      assert.deepStrictEqual((yield* request("GET", "/api/chat/squad?includeSystem=true")).body, [])
      assert.deepStrictEqual((yield* request("GET", `/api/tasks/${task.body.id}`)).body, task.body)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("needs an agent, a task that exists, and bounds", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const report = (body: unknown) => request("POST", "/api/agent/status/delegation-violation", { body })
      const invalid = [
        {},
        { agent: "" },
        { agent: 1 },
        { agent: "x".repeat(201) },
        { agent: "codex", action: "x".repeat(501) },
        { agent: "codex", details: "x".repeat(16_385) }
      ]
      for (const body of invalid) assert.strictEqual((yield* report(body)).status, 400)
      const unknown = yield* report({ agent: "codex", taskId: "task_none" })
      assert.strictEqual(unknown.status, 404)
      assert.deepInclude(unknown.body, { code: "NOT_FOUND", details: { taskId: "task_none" } })
      for (const details of [null, "text", 0, [], {}]) {
        assert.deepStrictEqual((yield* report({ agent: "codex", details })).body.details, details)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("holds no secret", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const secret = `ghp_${"a1B2".repeat(9)}`
      const body = { agent: secret, action: `used ${secret}`, details: { note: secret, password: "hunter2" } }
      const reported = yield* request("POST", "/api/agent/status/delegation-violation", { body })
      assert.deepInclude(reported.body, {
        agent: "[REDACTED]",
        action: "used [REDACTED]",
        details: { note: "[REDACTED]", password: "[REDACTED]" }
      })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is answered with a warning as soon as the gate is on, and blocks nothing", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* request("POST", "/api/tasks", { body: { title: "Docs" } })
      const path = "/api/agent/status/delegation-violation"
      const gate = (orchestratorDelegation: boolean) =>
        request("PATCH", "/api/settings/features", {
          as: "admin",
          body: { enforcement: { orchestratorDelegation } }
        })
      const report = request("POST", path, { body: { agent: "orchestrator", taskId: task.body.id } })
      assert.strictEqual((yield* gate(true)).status, 200)
      const warned = yield* report
      assert.strictEqual(warned.status, 200)
      assert.match(warned.body.warning, /^\[ORCHESTRATOR_DELEGATION_WARNING\] orchestrator /)
      const events = (yield* request("GET", "/api/chat/squad?includeSystem=true")).body
      assert.strictEqual(events.length, 1)
      assert.deepInclude(events[0], { kind: "status", message: warned.body.warning, taskId: task.body.id })
      const moved = yield* request("PATCH", `/api/tasks/${task.body.id}`, { body: { status: "in-progress" } })
      assert.strictEqual(moved.status, 200)
      yield* gate(false)
      assert.isNull((yield* report).body.warning)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("warns the reporter, the squad and the log while the gate is on, and changes no task", () => {
    const log: Array<string> = []
    return Effect.gen(function* () {
      const storage = yield* Storage
      const statuses = yield* AgentStatuses
      const { task } = yield* storage.write(createTask({ title: "Docs" }, system))
      const { warning } = yield* statuses.reportViolation(
        { agent: "orchestrator", taskId: task.id, action: `pushed with ghp_${"a1B2".repeat(9)}` },
        system
      )
      assert.strictEqual(
        warning,
        `[ORCHESTRATOR_DELEGATION_WARNING] orchestrator did implementation work itself on ${task.id}: pushed with [REDACTED]. An orchestrator delegates it.`
      )
      const [event, ...others] = yield* (yield* SquadChat).list({ includeSystem: true })
      assert.deepStrictEqual(others, [])
      assert.deepInclude(event, { kind: "status", system: true, message: String(warning), taskId: task.id })
      assert.deepStrictEqual(log, [String(warning)])
      assert.deepStrictEqual((yield* storage.read(TaskRepo.find(task.id)))?.task, task)
    }).pipe(Effect.provide(withWarnings(log)))
  })

  it.scopedLive("of a task that does not exist warns nobody", () => {
    const log: Array<string> = []
    return Effect.gen(function* () {
      const statuses = yield* AgentStatuses
      const refused = yield* Effect.flip(
        statuses.reportViolation({ agent: "orchestrator", taskId: "task_none" }, system)
      )
      assert.instanceOf(refused, TaskNotFound)
      assert.strictEqual(refused.taskId, "task_none")
      assert.deepStrictEqual(yield* (yield* SquadChat).list({ includeSystem: true }), [])
      assert.deepStrictEqual(log, [])
    }).pipe(Effect.provide(withWarnings(log)))
  })
})
