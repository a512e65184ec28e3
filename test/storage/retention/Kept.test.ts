import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Exit, Layer } from "effect"
import { recordGovernance } from "../../../src/insight/traces/Units.ts"
import * as ExecutionRepo from "../../../src/integrations/hooks/ExecutionRepo.ts"
import { Workers } from "../../../src/kernel/Worker.ts"
import type { Retention, Spans } from "../../../src/storage/Retention.ts"
import * as Sweep from "../../../src/storage/retention/Sweep.ts"
import { firstRow, rows, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { ask, createTask, move, moveBody } from "../../support/Board.ts"
import { recordChange, tester } from "../../support/Journal.ts"
import { listen } from "../../support/Socket.ts"
import { type SteppedClock, steppedClock } from "../../support/SteppedClock.ts"
import { sweep } from "../../support/Sweep.ts"
import { storage } from "../../support/TestStorage.ts"
import { virtualClock } from "../../support/VirtualClock.ts"
import { World, world } from "../../support/World.ts"

const inWorld = <A, E, R>(use: (clock: SteppedClock) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const clock = steppedClock()
    // Analytics looks back a month, and no further than 1970.
    return Effect.zipRight(clock.step("40 days"), use(clock)).pipe(
      Effect.provide(Layer.provide(world(), clock.layer))
    )
  })

const rename = (id: string, title: string) => ask("PATCH", `/api/tasks/${id}`, { body: { title } })

describe("the answer of an operation", () => {
  it.scopedLive("is given again for a month; after that its id is free", () =>
    inWorld(({ step }) =>
      Effect.gen(function* () {
        const task = yield* createTask({ status: "todo" })
        const body = moveBody(task, "done", 0)
        yield* move(task, body)
        yield* step("29 days")
        yield* sweep()
        assert.isTrue((yield* move(task, body)).body.replayed)
        yield* step("2 days")
        yield* sweep()
        const moved = yield* ask("GET", `/api/tasks/${task.id}`)
        const back = { ...moveBody(moved, "todo", 0), operationId: body.operationId }
        assert.deepInclude((yield* move(moved, back)).body, { replayed: false })
      })
    )
  )
})

describe("telemetry", () => {
  it.scopedLive("is kept for a year, and the last that came in for longer", () =>
    inWorld(({ step }) =>
      Effect.gen(function* () {
        const report = (taskId: string) =>
          ask("POST", "/api/telemetry/events", { body: { type: "run.started", taskId, agent: "codex" } })
        const reported = Effect.map(
          ask("GET", "/api/telemetry/events"),
          (events: ReadonlyArray<{ readonly taskId: string }>) => events.map(({ taskId }) => taskId)
        )
        yield* Effect.forEach(["a", "b", "c"], report)
        yield* step("366 days")
        yield* report("d")
        yield* sweep()
        assert.deepStrictEqual(yield* reported, ["d", "c", "b", "a"], "the newest 100,000 stay")
        yield* sweep({ telemetry: { count: 2 } })
        assert.deepStrictEqual(yield* reported, ["d", "c"])
        yield* sweep({ telemetry: { count: 0 } })
        assert.deepStrictEqual(yield* reported, ["d"])
      })
    )
  )
})

describe("traces", () => {
  it.scopedLive("are kept as long as is chosen", () =>
    inWorld(({ step }) =>
      Effect.gen(function* () {
        const { write } = yield* Storage
        const decide = write(
          recordGovernance({ kind: "ceremony.required", taskId: "t", details: {} }, tester)
        )
        const early = yield* decide
        yield* step("3 days")
        const late = yield* decide
        const { request } = yield* World
        const found = (id: string) =>
          Effect.map(request("GET", `/api/traces/governance/${id}`), ({ status }) => status)
        yield* sweep({ traces: { days: 4, count: 0 } })
        assert.deepStrictEqual([yield* found(early.id), yield* found(late.id)], [200, 200])
        yield* sweep({ traces: { days: 2, count: 0 } })
        assert.deepStrictEqual([yield* found(early.id), yield* found(late.id)], [404, 200])
      })
    )
  )
})

describe("a delivery of a hook", () => {
  it.scopedLive("is forgotten when it is over and old, never while it waits", () =>
    inWorld(({ now, step }) =>
      Effect.gen(function* () {
        const { write } = yield* Storage
        const facts = {
          taskId: null,
          oldStatus: null,
          newStatus: null,
          timestamp: "1970-02-10T00:00:00.000Z"
        }
        const enqueue = (id: string) =>
          ExecutionRepo.enqueue({ id, hookId: "one", event: "task.updated", facts }, now())
        yield* write(Effect.forEach(["over", "waiting"], enqueue))
        yield* write(
          ExecutionRepo.note("over", { status: "success", attempts: 1, durationMs: 1, startedAt: 0 })
        )
        const ids = Effect.map(
          ask("GET", "/api/hooks/executions", { as: "admin" }),
          (all: ReadonlyArray<{ readonly id: string }>) => all.map(({ id }) => id)
        )
        yield* step("8 days")
        yield* sweep()
        assert.deepStrictEqual(yield* ids, ["waiting", "over"], "the last 10,000 stay")
        yield* sweep({ deliveries: { count: 0 } })
        assert.deepStrictEqual(yield* ids, ["waiting"])
      })
    )
  )
})

describe("when old events are forgotten", () => {
  const few: Spans = { events: { days: 1, count: 1 } }

  it.scopedLive("who follows a task is told what is missing, and goes on with its next event", () =>
    inWorld(({ step }) =>
      Effect.gen(function* () {
        const { baseUrl } = yield* World
        const { id } = yield* createTask()
        for (const title of ["a", "b", "c"]) yield* rename(id, title)
        yield* createTask()
        yield* step("2 days")
        yield* sweep(few)
        yield* rename(id, "d")
        const listener = yield* listen(baseUrl)
        yield* listener.send({ type: "subscribe", taskId: id, afterTaskSequence: 1 })
        assert.deepInclude(yield* listener.next, { type: "subscribed", taskCursor: 5 })
        assert.deepStrictEqual(yield* listener.next, { type: "task:gap", taskId: id, from: 2, to: 3 })
        assert.deepInclude(yield* listener.next, { type: "task:event", sequence: 4 })
        assert.deepInclude(yield* listener.next, { type: "task:event", sequence: 5 })
      })
    )
  )

  it.scopedLive("who resumes after any sequence hears of all that has changed, as it is now", () =>
    inWorld(({ step }) =>
      Effect.gen(function* () {
        const { baseUrl } = yield* World
        const [changed, deleted, untouched] = yield* Effect.all([createTask(), createTask(), createTask()])
        for (const title of ["a", "b", "c"]) yield* rename(changed.id, title)
        yield* ask("DELETE", `/api/tasks/${deleted.id}`, { as: "admin" })
        yield* step("2 days")
        yield* sweep(few)
        const heardAfter = (sequence: number, count: number) =>
          Effect.gen(function* () {
            const listener = yield* listen(baseUrl, { path: `/ws?afterSequence=${sequence}` })
            const heard = yield* Effect.forEach(Arr.range(1, count), () => listener.next)
            return heard.map(({ task, taskId, type }) => [type, task?.title ?? taskId])
          })
        assert.deepStrictEqual(yield* heardAfter(0, 3), [
          ["task:updated", untouched.title],
          ["task:updated", "c"],
          ["task:deleted", deleted.id]
        ])
        assert.deepStrictEqual(yield* heardAfter(4, 2), [
          ["task:updated", "c"],
          ["task:deleted", deleted.id]
        ])
      })
    )
  )

  it.scopedLive("analytics says what it said, and the audit chain is whole", () =>
    inWorld(({ step }) =>
      Effect.gen(function* () {
        const { id } = yield* createTask()
        for (const status of ["in-progress", "done"]) {
          yield* ask("PATCH", `/api/tasks/${id}`, { body: { status } })
        }
        yield* createTask()
        yield* step("2 days")
        const said = Effect.all([
          ask("GET", "/api/analytics/metrics"),
          ask("GET", "/api/analytics/timeline"),
          ask("GET", "/api/audit/verify", { as: "admin" })
        ])
        const before = yield* said
        yield* sweep(few)
        const { read } = yield* Storage
        assert.deepStrictEqual(yield* read(firstRow(sql`SELECT COUNT(*) AS n FROM outbox`)), { n: 2 })
        assert.deepStrictEqual(yield* said, before)
        assert.deepInclude(before[2], { valid: true, entries: 4 })
      })
    )
  )
})

describe("the sweep", () => {
  const broken: Retention = {
    name: "broken",
    span: { days: 1, count: 0 },
    forget: () => Effect.dieMessage("The table is gone")
  }

  const events = Effect.flatMap(Storage, ({ read }) =>
    Effect.map(read(rows<{ seq: number }>(sql`SELECT seq FROM outbox ORDER BY seq`)), (all) =>
      all.map(({ seq }) => seq)
    )
  )

  const happen = Effect.flatMap(Storage, ({ write }) =>
    write(Effect.forEach(Arr.range(1, 300), () => recordChange("a")))
  )

  it.scopedLive("lets what fails at one kind hold up no other", () =>
    Effect.suspend(() => {
      const { layer, step } = steppedClock()
      return Effect.gen(function* () {
        yield* happen
        yield* step("2 days")
        const came = yield* Effect.exit(Sweep.sweep([broken], { events: { days: 1, count: 1 } }))
        assert.isTrue(Exit.isFailure(came))
        assert.deepStrictEqual(yield* events, [299, 300])
      }).pipe(Effect.provide(Layer.provideMerge(storage, layer)))
    })
  )

  it.scopedLive("comes every five minutes, and shows that it did", () => {
    const { live, now, pass } = virtualClock(0)
    return live(
      Effect.gen(function* () {
        yield* Layer.build(Sweep.layer([], { events: { days: 1, count: 1 } }))
        yield* happen
        yield* pass("4 minutes")
        assert.lengthOf(yield* events, 300)
        yield* pass("25 hours")
        assert.deepStrictEqual(yield* events, [299, 300])
        const [beat] = yield* Effect.flatMap(Workers, ({ heartbeats }) => heartbeats)
        assert.deepInclude(beat, { worker: "retention", failures: 0 })
        assert.isAtMost(now() - (beat?.lastBeatAt ?? 0), 300_000)
      }).pipe(Effect.provide(Layer.merge(storage, Workers.layer)))
    )
  })
})
