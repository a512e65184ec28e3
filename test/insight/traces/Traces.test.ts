import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TraceRecord from "../../../src/insight/traces/TraceRecord.ts"
import { system } from "../../../src/kernel/Actor.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { type As, World, world } from "../../support/World.ts"

const shared = sharedWorld()

const read = (path: string) => Effect.flatMap(World, ({ request }) => request("GET", path))

const turn = (to: "enable" | "disable", as: As = "admin") =>
  Effect.flatMap(World, ({ request }) => request("POST", `/api/traces/${to}`, { as }))

const trace = (kind: string, details: Record<string, unknown> = {}) =>
  Effect.flatMap(Storage, (storage) =>
    storage.write(TraceRecord.record({ kind, taskId: "task_1", attemptId: "attempt_1", details }, system))
  )

const decide = (details: Record<string, unknown>, taskId = "task_1") =>
  Effect.flatMap(Storage, (storage) =>
    storage.write(TraceRecord.recordGovernance({ kind: "ceremony.required", taskId, details }, system))
  )

describe("tracing", () => {
  it.scopedLive("is off until an admin turns it on, and an agent can't", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* read("/api/traces/status")).body, { enabled: false })
      assert.strictEqual((yield* turn("enable", "agent")).status, 403)
      assert.deepStrictEqual((yield* turn("enable")).body, { enabled: true })
      assert.deepStrictEqual((yield* read("/api/traces/status")).body, { enabled: true })
      assert.deepStrictEqual((yield* turn("disable")).body, { enabled: false })
      assert.deepStrictEqual((yield* read("/api/traces/status")).body, { enabled: false })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("keeps what an attempt did while it is on, in its order", () =>
    Effect.gen(function* () {
      yield* trace("run.started")
      assert.strictEqual((yield* read("/api/traces/attempt_1")).status, 404)
      yield* turn("enable")
      yield* trace("run.started", { agent: "codex" })
      yield* trace("tool.called", { authorization: "Bearer abcdefghijklmnop" })
      yield* turn("disable")
      yield* trace("run.completed")
      const { body } = yield* read("/api/traces/attempt_1")
      assert.deepInclude(body, { attemptId: "attempt_1", taskId: "task_1" })
      assert.deepStrictEqual(
        body.entries.map(({ kind }: { readonly kind: string }) => kind),
        ["run.started", "tool.called"]
      )
      assert.notInclude(JSON.stringify(body), "abcdefghijklmnop")
    }).pipe(Effect.provide(world()))
  )
})

describe("a decision of the governance", () => {
  it.scopedLive("is traced even while tracing is off, and found by its id and its task", () =>
    Effect.gen(function* () {
      const { id } = yield* decide({ gate: "ceremonyDesignReview" })
      assert.match(id, /^govtrace_/)
      const byId = yield* read(`/api/traces/governance/${id}`)
      assert.deepInclude(byId.body, { id, taskId: "task_1", attemptId: null, kind: "ceremony.required" })
      yield* decide({ gate: "ceremonyFailureRetrospective" })
      yield* decide({}, "task_2")
      const ofTask = yield* read("/api/traces/task/task_1")
      assert.deepStrictEqual(
        ofTask.body.map(({ details }: { readonly details: { readonly gate: string } }) => details.gate),
        ["ceremonyFailureRetrospective", "ceremonyDesignReview"]
      )
      assert.lengthOf((yield* read("/api/traces/task/task_1?limit=1")).body, 1)
      assert.deepStrictEqual((yield* read("/api/traces/task/nothing")).body, [])
      assert.strictEqual((yield* read("/api/traces/governance/nothing")).status, 404)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("goes with its task", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { body: task } = yield* request("POST", "/api/tasks", { body: { title: "Docs" } })
      const { id } = yield* decide({ gate: "ceremonyDesignReview" }, task.id)
      yield* decide({}, "task_3")
      yield* request("DELETE", `/api/tasks/${task.id}`, { as: "admin" })
      assert.deepStrictEqual((yield* read(`/api/traces/task/${task.id}`)).body, [])
      assert.strictEqual((yield* read(`/api/traces/governance/${id}`)).status, 404)
      assert.lengthOf((yield* read("/api/traces/task/task_3")).body, 1)
    }).pipe(Effect.provide(shared))
  )
})
