import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Layer } from "effect"
import { rows, run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { ask, createTask } from "../../support/Board.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { sweep } from "../../support/Sweep.ts"
import { temporaryDirectory, World, type WorldOptions, world, worldIn } from "../../support/World.ts"

/** A world that lives by a clock of its own, which begins at midnight. */
const timed = (options?: WorldOptions) => {
  const clock = steppedClock()
  return { ...clock, world: world(options).pipe(Layer.provide(clock.layer)) }
}

const to = (id: string, status: string) => ask("PATCH", `/api/tasks/${id}`, { body: { status } })
const timeline = (query = "") => ask("GET", `/api/analytics/timeline${query}`)
const metrics = (query = "") => ask("GET", `/api/analytics/metrics${query}`)
const health = ask("GET", "/api/analytics/health")
const day = 86_400_000

describe("the timeline", () => {
  it.scopedLive("shows on which day tasks came and on which they were completed", () => {
    const { step, world } = timed()
    return Effect.gen(function* () {
      yield* step("400 days")
      const { id } = yield* createTask()
      yield* createTask()
      yield* step("2 days")
      yield* to(id, "done")
      assert.deepStrictEqual(yield* timeline("?period=4d"), {
        period: "4d",
        from: "1971-02-04",
        to: "1971-02-07",
        points: [
          { date: "1971-02-04", completed: 0, created: 0 },
          { date: "1971-02-05", completed: 0, created: 2 },
          { date: "1971-02-06", completed: 0, created: 0 },
          { date: "1971-02-07", completed: 1, created: 0 }
        ]
      })
      assert.deepInclude(yield* timeline("?from=1971-02-05&to=1971-02-05T18:00:00Z"), {
        period: "1d",
        points: [{ date: "1971-02-05", completed: 0, created: 2 }]
      })
      assert.lengthOf((yield* timeline()).points, 30)
    }).pipe(Effect.provide(world))
  })

  it.scopedLive("forgets a completion that was taken back, and none of a task that is gone", () => {
    const { step, world } = timed()
    return Effect.gen(function* () {
      yield* step("400 days")
      const completed = Effect.map(timeline("?period=today"), ({ points }) => points[0].completed)
      const [one, two, three] = [yield* createTask(), yield* createTask(), yield* createTask()]
      for (const { id } of [one, two, three]) yield* to(id, "done")
      assert.strictEqual(yield* completed, 3)
      yield* to(three.id, "in-progress")
      assert.strictEqual(yield* completed, 2)
      yield* ask("POST", `/api/tasks/${one.id}/archive`)
      yield* ask("DELETE", `/api/tasks/${two.id}`, { as: "admin" })
      assert.strictEqual(yield* completed, 2)
    }).pipe(Effect.provide(world))
  })

  it.scopedLive("takes what comes in as done for a completion, unless it was imported", () => {
    const { step, world } = timed()
    return Effect.gen(function* () {
      yield* step("400 days")
      yield* createTask({ status: "done" })
      yield* ask("POST", "/api/tasks/import", {
        as: "admin",
        raw: '{"id":"OLD-1","title":"Long ago","status":"done"}',
        headers: { "content-type": "application/x-ndjson" }
      })
      const { points } = yield* timeline("?period=today")
      assert.deepStrictEqual(points, [{ date: "1971-02-05", completed: 1, created: 2 }])
      assert.deepInclude(yield* metrics(), { throughput: 1, cycleTime: { averageMs: null, medianMs: null } })
    }).pipe(Effect.provide(world))
  })

  it.scopedLive("says what is wrong with the days that it is asked for", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const name of ["timeline", "metrics"]) {
        const both = yield* request("GET", `/api/analytics/${name}?period=week&from=2026-01-01`)
        assert.strictEqual(both.status, 400)
        assert.deepStrictEqual(both.body, {
          error: "Validation failed",
          code: "VALIDATION_ERROR",
          details: { issues: [{ path: "period", message: "Say either period or from" }] }
        })
        const word = yield* request("GET", `/api/analytics/${name}?period=eon`)
        assert.strictEqual(word.status, 400)
        assert.deepStrictEqual(word.body.details.issues, [
          {
            path: "period",
            message:
              "Expected days or weeks such as 7d or 2w, at most 366 days, or one of today, week, month, quarter, year"
          }
        ])
        const date = yield* request("GET", `/api/analytics/${name}?from=yesterday`)
        assert.deepStrictEqual(date.body.details.issues, [
          { path: "from", message: "Expected a date such as 2026-11-21, or a date and time in ISO 8601" }
        ])
      }
      assert.strictEqual((yield* request("GET", "/api/analytics/metrics", { as: "read-only" })).status, 200)
      assert.strictEqual((yield* request("GET", "/api/analytics/health", { as: null })).status, 401)
    }).pipe(Effect.provide(world()))
  )
})

describe("the metrics", () => {
  it.scopedLive("measure from the first time in progress, or from the creation, to done", () => {
    const { step, world } = timed()
    return Effect.gen(function* () {
      yield* step("400 days")
      const [begun, returned, never, open] = [
        yield* createTask(),
        yield* createTask(),
        yield* createTask(),
        yield* createTask()
      ]
      assert.deepInclude(yield* metrics(), { throughput: 0, wip: 0 })
      yield* step("1 day")
      for (const { id } of [begun, returned, open]) yield* to(id, "in-progress")
      yield* step("1 day")
      yield* to(begun.id, "done")
      yield* to(never.id, "done")
      yield* to(returned.id, "todo")
      yield* step("5 days")
      yield* to(returned.id, "in-progress")
      yield* to(returned.id, "done")
      assert.deepStrictEqual(yield* metrics(), {
        period: "30d",
        from: "1971-01-14",
        to: "1971-02-12",
        throughput: 3,
        cycleTime: { averageMs: 3 * day, medianMs: 2 * day },
        wip: 1
      })
      assert.deepInclude(yield* metrics("?from=1971-02-07&to=1971-02-07"), {
        throughput: 2,
        cycleTime: { averageMs: 1.5 * day, medianMs: 1.5 * day }
      })
      assert.deepInclude(yield* metrics("?period=today"), { throughput: 1 })
    }).pipe(Effect.provide(world))
  })
})

describe("the health", () => {
  it.scopedLive("counts what is blocked, and what nothing has happened to for seven days", () => {
    const { step, world } = timed()
    return Effect.gen(function* () {
      yield* step("400 days")
      assert.deepStrictEqual(yield* health, { status: "healthy", score: 100, blocked: 0, stale: 0, wip: 0 })
      const [one, two, three] = [
        yield* createTask({ status: "in-progress" }),
        yield* createTask({ status: "in-progress" }),
        yield* createTask({ status: "blocked" })
      ]
      yield* createTask({ status: "todo" })
      yield* step("7 days")
      assert.deepInclude(yield* health, { wip: 2, blocked: 1, stale: 0, score: 83 })
      yield* step(1)
      assert.deepInclude(yield* health, { stale: 3, score: 33, status: "unhealthy" })
      yield* ask("POST", `/api/tasks/${one.id}/comments`, { body: { text: "On it" } })
      assert.deepInclude(yield* health, { stale: 2 })
      yield* ask("POST", `/api/tasks/${two.id}/observations`, { body: { content: "Slow" } })
      assert.deepInclude(yield* health, { stale: 1 })
      yield* ask("POST", `/api/tasks/${three.id}/archive`)
      assert.deepInclude(yield* health, { wip: 2, blocked: 0, stale: 0 })
      yield* ask("POST", `/api/tasks/${three.id}/restore`)
      assert.deepInclude(yield* health, { blocked: 1, stale: 0 })
    }).pipe(Effect.provide(world))
  })

  it.scopedLive("tells tasks apart that came with the same id", () =>
    Effect.gen(function* () {
      yield* ask("POST", "/api/tasks/import", {
        as: "admin",
        raw: ["in-progress", "blocked"]
          .map((status, n) => JSON.stringify({ id: "TWIN", sourceId: `s${n}`, title: "Twin", status }))
          .join("\n"),
        headers: { "content-type": "application/x-ndjson" }
      })
      assert.deepInclude(yield* health, { wip: 1, blocked: 1 })
      const { repaired } = yield* ask("POST", "/api/tasks/import/repair-ids", { as: "admin" })
      yield* to(repaired[0].newId, "done")
      assert.deepInclude(yield* health, { wip: 1, blocked: 0 })
    }).pipe(Effect.provide(world()))
  )
})

describe("what analytics reads", () => {
  const begun = Effect.gen(function* () {
    const { id } = yield* createTask()
    yield* to(id, "in-progress")
    return id
  })

  it.scopedLive("is there after a restart, and counts nothing twice", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const id = yield* Effect.scoped(Effect.provide(Effect.zipLeft(begun, metrics()), worldIn(directory)))
      yield* Effect.gen(function* () {
        assert.deepInclude(yield* metrics(), { wip: 1, throughput: 0 })
        yield* to(id, "done")
        assert.deepInclude(yield* metrics(), { wip: 0, throughput: 1 })
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
    })
  )

  it.scopedLive("is made again from the first event when nothing of it is left", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const before = yield* Effect.gen(function* () {
        yield* to(yield* begun, "done")
        // More events than the model takes in at once.
        yield* ask("POST", "/api/tasks/import", {
          as: "admin",
          raw: Array.from({ length: 600 }, (_, n) =>
            JSON.stringify({ id: `B-${n}`, title: "One of many" })
          ).join("\n"),
          headers: { "content-type": "application/x-ndjson" }
        })
        yield* begun
        const before = [yield* timeline(), yield* metrics(), yield* health]
        const { write } = yield* Storage
        yield* write(
          Effect.all([
            run(sql`DELETE FROM analytics_tasks`),
            run(sql`DELETE FROM analytics_arrivals`),
            run(sql`DELETE FROM analytics_completions`),
            run(sql`DELETE FROM projections WHERE name = 'analytics'`)
          ])
        )
        return before
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      yield* Effect.gen(function* () {
        assert.deepStrictEqual([yield* timeline(), yield* metrics(), yield* health], before)
        assert.strictEqual(before[0].points.at(-1).created, 602)
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
    })
  )
})

describe("what analytics knows when old events are forgotten and nothing of it is left", () => {
  it.scopedLive("is made again from the tasks that there are, and from the events that are kept", () => {
    const { layer, step } = steppedClock()
    return Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const said = Effect.all([timeline(), metrics(), health])
      const before = yield* Effect.gen(function* () {
        const { read, write } = yield* Storage
        yield* step("40 days")
        const ids = yield* Effect.forEach(Arr.range(1, 5), () => Effect.map(createTask(), ({ id }) => id))
        const [done, again, blocked, archived] = ids
        yield* step("3 hours")
        for (const id of [done, again, blocked, archived]) yield* to(id, "in-progress")
        yield* step("1 day")
        for (const id of [done, again, archived]) yield* to(id, "done")
        yield* to(blocked, "blocked")
        yield* ask("POST", `/api/tasks/${archived}/archive`)
        yield* step("5 days")
        yield* sweep({ events: { days: 1, count: 1 } })
        // The last event of each task is left, and the one before the last of all.
        const left = sql`SELECT COUNT(*) AS events FROM outbox WHERE resource = 'task'`
        assert.deepStrictEqual(yield* read(rows(left)), [{ events: 6 }])
        yield* to(again, "in-progress")
        const before = yield* said
        yield* write(
          Effect.all([
            run(sql`DELETE FROM analytics_tasks`),
            run(sql`DELETE FROM analytics_arrivals`),
            run(sql`DELETE FROM analytics_completions`),
            run(sql`DELETE FROM projections WHERE name = 'analytics'`)
          ])
        )
        return before
      }).pipe(Effect.provide(Layer.provide(worldIn(directory), layer)), Effect.scoped)
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* said, before)
        assert.deepInclude(before[1], { throughput: 2, wip: 1 })
      }).pipe(Effect.provide(Layer.provide(worldIn(directory), layer)), Effect.scoped)
    })
  })
})

describe("a date that does not exist", () => {
  it.scopedLive("is refused by its name, wherever one is taken", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const cases: ReadonlyArray<readonly [string, string, string, Record<string, unknown>?]> = [
        ["GET", "/api/analytics/timeline?from=2026-02-30", "from"],
        ["GET", "/api/analytics/timeline?to=2026-04-31", "to"],
        ["GET", "/api/analytics/metrics?from=2026-02-29T10:00:00Z", "from"],
        ["GET", "/api/chat/squad?since=2026-02-30", "since"],
        [
          "POST",
          "/api/auth/tokens",
          "expiresAt",
          { name: "t", role: "agent", expiresAt: "2027-02-30T00:00:00Z" }
        ]
      ]
      for (const [method, path, field, body] of cases) {
        const answer = yield* request(method, path, { as: "admin", ...(body === undefined ? {} : { body }) })
        assert.strictEqual(answer.status, 400, path)
        assert.include(
          answer.body.details.issues.map(({ path }: { readonly path: string }) => path),
          field
        )
      }
    }).pipe(Effect.provide(world()))
  )
})
