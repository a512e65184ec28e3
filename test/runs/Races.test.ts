import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Random } from "effect"
import { ask, createTask, getTask } from "../support/Board.ts"
import { complete, registerCodex, shownSuccess, start, startGateway } from "../support/Runs.ts"
import { beginScript, configureScripts, endOf, until } from "../support/ScriptedAgents.ts"
import { keys, World, world } from "../support/World.ts"

const rounds = 15

const statusOf = (taskId: string) => ask("GET", `/api/agents/${taskId}/status`)

const room = (runs: number) =>
  ask("PATCH", "/api/settings/features", {
    as: "admin",
    body: { admission: { limits: { workspace: { runs } } } }
  })

describe("a launch that waits", () => {
  it.scopedLive("is cancelled or begins, never both and never neither, when both come at once", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* room(1)
      const won = { cancel: 0, dispatch: 0 }
      for (const _ of Arr.range(1, rounds)) {
        const before = yield* startGateway()
        const { id } = yield* createTask()
        const { attemptId, queueId } = (yield* start(id)).body
        const pause = yield* Random.nextIntBetween(0, 12)
        const [, cancelled] = yield* Effect.all(
          [
            complete(before, shownSuccess),
            Effect.delay(
              request("POST", `/api/admission/queue/${queueId}/cancel`, { as: "admin", body: {} }),
              pause
            )
          ],
          { concurrency: 2 }
        )
        assert.include([200, 409], cancelled.status)
        const isCancelled = cancelled.status === 200
        const expected = isCancelled ? "interrupted" : "running"
        const { status } = yield* until(statusOf(id), (found) => found.status === expected)
        assert.strictEqual(status, expected)
        const { entry } = yield* ask("GET", `/api/admission/queue/${queueId}`)
        assert.strictEqual(entry.state, isCancelled ? "terminal" : "dispatched")
        assert.strictEqual((yield* getTask(id)).status, isCancelled ? "todo" : "in-progress")
        const held = yield* ask("GET", "/api/admission?state=active")
        assert.lengthOf(held, isCancelled ? 0 : 1)
        if (!isCancelled) yield* ask("POST", `/api/agents/${id}/stop`, { body: { attemptId } })
        won[isCancelled ? "cancel" : "dispatch"] += 1
      }
      assert.strictEqual(won.cancel + won.dispatch, rounds)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive(
    "is stopped, or begins and is stopped then: its place in the queue is given up either way",
    () =>
      Effect.gen(function* () {
        yield* room(1)
        for (const _ of Arr.range(1, rounds)) {
          const before = yield* startGateway()
          const { id } = yield* createTask()
          const { attemptId, queueId } = (yield* start(id)).body
          const pause = yield* Random.nextIntBetween(0, 12)
          yield* Effect.all(
            [
              complete(before, shownSuccess),
              Effect.delay(ask("POST", `/api/agents/${id}/stop`, { body: { attemptId } }), pause)
            ],
            { concurrency: 2 }
          )
          assert.strictEqual((yield* statusOf(id)).status, "interrupted")
          const { entry } = yield* ask("GET", `/api/admission/queue/${queueId}`)
          assert.include(["terminal", "dispatched"], entry.state)
          assert.deepStrictEqual(yield* ask("GET", "/api/admission?state=active"), [])
        }
      }).pipe(Effect.provide(world()))
  )
})

describe("two starts of one task", () => {
  it.scopedLive("under different keys make one attempt, and each key keeps its answer", () =>
    Effect.gen(function* () {
      yield* registerCodex
      yield* room(100)
      for (const _ of Arr.range(1, rounds)) {
        const { id } = yield* createTask()
        const headers = Arr.makeBy(2, () => ({ "x-idempotency-key": randomUUID() }))
        const both = Effect.forEach(headers, (one) => start(id, {}, one), { concurrency: 2 })
        const first = yield* both
        assert.deepStrictEqual(first.map(({ status }) => status).sort(), [201, 409])
        const again = yield* both
        assert.deepStrictEqual(
          again.map(({ body, status }) => [status, status === 201 ? body : null]),
          first.map(({ body, status }) => [status, status === 201 ? body : null])
        )
        assert.lengthOf((yield* getTask(id)).attempts, 1)
      }
    }).pipe(Effect.provide(world()))
  )
})

/** Starts an agent unless the caller hangs up before it is answered. */
const startUntil = async (signal: AbortSignal, url: string): Promise<void> => {
  const headers = { "x-api-key": keys.agent, "content-type": "application/json" }
  const body = JSON.stringify({ agent: "brief" })
  await fetch(url, { method: "POST", headers, body, signal }).catch(() => undefined)
}

describe("a start whose caller hangs up", () => {
  it.scopedLive("starts nothing, or an agent that comes to its end", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      yield* configureScripts({ brief: "cat >/dev/null" })
      const { taskId } = yield* beginScript("brief")
      yield* endOf(taskId)
      const ends = yield* Effect.forEach(Arr.range(1, 20), () =>
        Effect.gen(function* () {
          const { id } = yield* createTask()
          const call = Effect.promise((signal) => startUntil(signal, `${baseUrl}/api/agents/${id}/start`))
          yield* Effect.timeoutOption(call, yield* Random.nextIntBetween(1, 15))
          return yield* until(statusOf(id), ({ status }) => status === null || status === "success")
        })
      )
      assert.isTrue(ends.every(({ running }) => running === false))
      yield* until(ask("GET", "/api/admission?state=active"), ({ length }) => length === 0)
    }).pipe(Effect.provide(world()))
  )
})
