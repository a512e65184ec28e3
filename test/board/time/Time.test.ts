import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer } from "effect"
import { noTime } from "../../../src/board/tasks/Task.ts"
import * as Timer from "../../../src/board/tasks/Timer.ts"
import { ask, createTask, getTask } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

const start = (id: string) => ask("POST", `/api/tasks/${id}/time/start`)
const stop = (id: string) => ask("POST", `/api/tasks/${id}/time/stop`)
const addEntry = (id: string, body: unknown) => ask("POST", `/api/tasks/${id}/time/entry`, { body })

const minute = 60_000

describe("the timer of a task", () => {
  it.scopedLive("measures what lies between its start and its stop", () => {
    const { layer, step } = steppedClock()
    return Effect.gen(function* () {
      const { id } = yield* createTask()
      const { timeTracking: running, revision } = yield* start(id)
      assert.strictEqual(revision, 2)
      assert.deepStrictEqual(running, {
        entries: [
          {
            id: running.activeEntryId,
            startTime: "1970-01-01T00:00:00.000Z",
            durationMs: 0,
            manual: false
          }
        ],
        totalMs: 0,
        isRunning: true,
        activeEntryId: running.activeEntryId
      })
      yield* step("25 minutes")
      const { timeTracking: stopped } = yield* stop(id)
      assert.deepStrictEqual(stopped, {
        entries: [{ ...running.entries[0], endTime: "1970-01-01T00:25:00.000Z", durationMs: 25 * minute }],
        totalMs: 25 * minute,
        isRunning: false
      })
      yield* step("1 hour")
      yield* start(id)
      yield* step("5 minutes")
      assert.strictEqual((yield* stop(id)).timeTracking.totalMs, 30 * minute)
    }).pipe(Effect.provide(world().pipe(Layer.provide(layer))))
  })

  it.scopedLive("is started once and stopped once", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const early = yield* request("POST", `/api/tasks/${id}/time/stop`)
      assert.strictEqual(early.status, 409)
      assert.deepStrictEqual(early.body.details, { taskId: id })
      const { timeTracking } = yield* start(id)
      const again = yield* request("POST", `/api/tasks/${id}/time/start`)
      assert.strictEqual(again.status, 409)
      assert.deepStrictEqual(again.body.details, { taskId: id, entryId: timeTracking.activeEntryId })
      assert.strictEqual((yield* getTask(id)).revision, 2)
      const races = yield* Effect.forEach([1, 2, 3], () => request("POST", `/api/tasks/${id}/time/stop`), {
        concurrency: "unbounded"
      })
      assert.sameMembers(
        races.map(({ status }) => status),
        [200, 409, 409]
      )
    }).pipe(Effect.provide(shared))
  )

  it("makes no negative time when the clock is set back", () => {
    const running = Timer.start(noTime, "entry", 1_000_000)
    assert.strictEqual(Timer.stop(running, 999_000).totalMs, 0)
  })

  it("always totals its entries, whatever is started, stopped, added and removed", () => {
    const action = fc.oneof(
      fc.record({ do: fc.constantFrom("start" as const, "stop" as const) }),
      fc.record({ do: fc.constant("add" as const), durationMs: fc.integer({ min: 1, max: 1_000 }) }),
      fc.record({ do: fc.constant("remove" as const), index: fc.nat(5) })
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(action, fc.nat(1_000)), { maxLength: 30, size: "max" }), (actions) => {
        let time = noTime
        let at = 0
        for (const [index, [action, wait]] of actions.entries()) {
          at += wait
          const id = `entry ${index}`
          if (action.do === "start") time = Timer.start(time, id, at)
          if (action.do === "stop") time = Timer.stop(time, at)
          if (action.do === "add") time = Timer.add(time, { id, durationMs: action.durationMs }, at)
          if (action.do === "remove") {
            const chosen = time.entries[action.index]
            if (chosen !== undefined && chosen.id !== time.activeEntryId) time = Timer.remove(time, chosen.id)
          }
          const open = time.entries.filter((entry) => entry.endTime === undefined)
          assert.strictEqual(time.isRunning, open.length === 1)
          assert.deepStrictEqual(
            open.map((entry) => entry.id),
            time.isRunning ? [time.activeEntryId] : []
          )
          for (const { durationMs, endTime, startTime } of time.entries) {
            if (endTime !== undefined) {
              assert.strictEqual(Date.parse(endTime) - Date.parse(startTime), durationMs)
            }
          }
          assert.strictEqual(
            time.totalMs,
            time.entries.reduce((sum, entry) => sum + entry.durationMs, 0)
          )
        }
      })
    )
  })
})

describe("a time entry", () => {
  it.scopedLive("is added by hand, ending now, and removed again", () => {
    const { layer, step } = steppedClock()
    return Effect.gen(function* () {
      const { request } = yield* World
      yield* step("2 hours")
      const { id } = yield* createTask()
      const added = yield* request("POST", `/api/tasks/${id}/time/entry`, {
        body: { durationMs: 90 * minute, description: "Reading" }
      })
      assert.strictEqual(added.status, 201)
      assert.strictEqual(added.headers.get("etag"), `"task:${id}:2"`)
      const [entry] = added.body.timeTracking.entries
      assert.deepStrictEqual(entry, {
        id: entry.id,
        startTime: "1970-01-01T00:30:00.000Z",
        endTime: "1970-01-01T02:00:00.000Z",
        durationMs: 90 * minute,
        description: "Reading",
        manual: true
      })
      const path = `/api/tasks/${id}/time/entry/${entry.id}`
      assert.strictEqual((yield* request("DELETE", path)).status, 204)
      assert.deepInclude(yield* getTask(id), {
        timeTracking: { entries: [], totalMs: 0, isRunning: false },
        revision: 3
      })
      assert.strictEqual((yield* request("DELETE", path)).status, 404)
    }).pipe(Effect.provide(world().pipe(Layer.provide(layer))))
  })

  it.scopedLive("that is being measured can't be removed; others can meanwhile", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      yield* addEntry(id, { durationMs: minute })
      const { timeTracking } = yield* start(id)
      const running = `/api/tasks/${id}/time/entry/${timeTracking.activeEntryId}`
      assert.strictEqual((yield* request("DELETE", running)).status, 409)
      yield* ask("DELETE", `/api/tasks/${id}/time/entry/${timeTracking.entries[0].id}`)
      assert.isTrue((yield* getTask(id)).timeTracking.isRunning)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("lasts from a millisecond to thirty days", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const path = `/api/tasks/${id}/time/entry`
      const days = 30 * 24 * 60 * minute
      for (const body of [
        {},
        { durationMs: 0 },
        { durationMs: -1 },
        { durationMs: 1.5 },
        { durationMs: "1" },
        { durationMs: days + 1 },
        { durationMs: 1, description: 5 },
        { durationMs: 1, description: "x".repeat(2_001) }
      ]) {
        const refused = yield* request("POST", path, { body })
        assert.strictEqual(refused.status, 400, JSON.stringify(body).slice(0, 80))
      }
      for (const durationMs of [1, days]) yield* addEntry(id, { durationMs })
      assert.strictEqual((yield* getTask(id)).timeTracking.totalMs, days + 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("counts for its task and its project in the summary, running timers apart", () =>
    Effect.gen(function* () {
      const first = yield* createTask({ title: "First", project: "x" })
      const second = yield* createTask({ title: "Second", project: "x" })
      const third = yield* createTask({ title: "Third" })
      yield* createTask({ title: "Untouched", project: "y" })
      yield* addEntry(first.id, { durationMs: 2 * minute })
      yield* addEntry(second.id, { durationMs: 5 * minute })
      yield* addEntry(third.id, { durationMs: minute })
      yield* start(third.id)
      const summary = yield* ask("GET", "/api/tasks/time/summary", { as: "read-only" })
      assert.strictEqual(summary.totalMs, 8 * minute)
      assert.deepStrictEqual(
        summary.byTask.map(({ title, totalMs }: { title: string; totalMs: number }) => [title, totalMs]),
        [
          ["Second", 5 * minute],
          ["First", 2 * minute],
          ["Third", minute]
        ]
      )
      assert.sameDeepMembers(summary.byProject, [
        { project: "x", totalMs: 7 * minute },
        { project: null, totalMs: minute }
      ])
      assert.deepStrictEqual(summary.runningTasks, [
        { taskId: third.id, title: "Third", project: null, totalMs: minute, isRunning: true }
      ])
    }).pipe(Effect.provide(world()))
  )
})
