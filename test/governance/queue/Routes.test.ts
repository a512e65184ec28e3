import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { World, world } from "../../support/World.ts"
import { choose, end, launch, launchLater, room } from "./Launches.ts"

const get = (path: string, headers: Record<string, string> = {}) =>
  Effect.flatMap(World, ({ request }) => request("GET", path, { as: "read-only", headers }))

const post = (path: string) => Effect.flatMap(World, ({ request }) => request("POST", path, { as: "admin" }))

/** One that runs, and two that wait: one is urgent, one was asked for by a watcher. */
const scene = Effect.gen(function* () {
  yield* room(1)
  yield* launch("runs")
  const slow = yield* launchLater("slow", { source: "watcher" })
  const urgent = yield* launchLater("urgent", { priority: "critical", source: "scheduled" })
  return { slow, urgent }
})

describe("the queue as it is shown", () => {
  it.scopedLive("lists who waits, in the order in which they are served, and why", () =>
    Effect.gen(function* () {
      const { slow, urgent } = yield* scene
      const { body } = yield* get("/api/v1/admission/queue")
      assert.deepInclude(body, { schemaVersion: "admission-queue-list/v1", page: 1, limit: 50, total: 2 })
      const [first, second] = body.entries
      assert.strictEqual(first.id, urgent.queueId)
      assert.strictEqual(second.id, slow.queueId)
      assert.deepInclude(first, {
        state: "queued",
        source: "scheduled",
        priority: "critical",
        workspaceId: "default",
        nodeId: "node-of-urgent",
        revision: 1
      })
      assert.deepStrictEqual(first.limitingScopes, [{ scope: "workspace", scopeId: "default" }])
      assert.match(first.hostHash, /^sha256:[0-9a-f]{64}$/)
      assert.match(first.rootTaskHash, /^sha256:[0-9a-f]{64}$/)
      assert.strictEqual(first.rootObjectiveId, first.rootTaskHash)
      assert.notMatch(JSON.stringify(body), /machine-of-ann|task-of-/)
      const ofTree = yield* get(`/api/admission/queue?rootObjectiveId=${first.rootObjectiveId}`)
      assert.strictEqual(ofTree.body.total, 1, "a tree is found by what it is shown as")
      assert.notMatch(JSON.stringify(body), /startAt|estimated/i)
      const alias = yield* get("/api/admission/queue")
      assert.deepStrictEqual(
        alias.body.entries.map(({ id }: { id: string }) => id),
        [urgent.queueId, slow.queueId]
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("filters by each of its filters, and refuses what is none of their values", () =>
    Effect.gen(function* () {
      yield* scene
      yield* choose({ limits: { host: { runs: 1 } } })
      const total = (query: string) =>
        Effect.map(get(`/api/admission/queue?${query}`), ({ body }) => Number(body.total))
      const counts = {
        "workspaceId=default": 2,
        "workspaceId=other": 0,
        "rootObjectiveId=task-of-slow": 1,
        "nodeId=node-of-slow": 1,
        "source=watcher": 1,
        "source=watcher&source=scheduled": 2,
        "source=goal": 0,
        "state=queued": 2,
        "state=leased&state=terminal": 0,
        "priority=critical": 1,
        "priority=low": 0,
        "limitingScope=host": 2,
        "limitingScope=host&limitingScope=global": 2,
        "limitingScope=provider": 0,
        "minAgeMs=0": 2,
        "minAgeMs=100000000": 0,
        "maxAgeMs=100000000": 2,
        "limit=1": 2,
        "page=3&limit=1": 2
      }
      for (const [query, expected] of Object.entries(counts)) {
        assert.strictEqual(yield* total(query), expected, query)
      }
      const second = yield* get("/api/admission/queue?page=2&limit=1")
      assert.strictEqual(second.body.entries[0].source, "watcher")
      assert.deepStrictEqual((yield* get("/api/admission/queue?page=3&limit=1")).body.entries, [])
      for (const query of [
        "source=x",
        "state=active",
        "state=queued&state=x",
        "priority=urgent",
        "limitingScope=x",
        "minAgeMs=-1",
        "maxAgeMs=1.5",
        "page=0",
        "limit=0",
        "limit=201",
        "limit=x"
      ]) {
        const { body, status } = yield* get(`/api/admission/queue?${query}`)
        assert.strictEqual(status, 400, query)
        assert.strictEqual(body.code, "VALIDATION_ERROR")
      }
      assert.strictEqual((yield* get("/api/admission/queue?limit=200")).status, 200)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is a 304 for whoever knows it, until something changed", () =>
    Effect.gen(function* () {
      const { slow } = yield* scene
      for (const path of ["/api/admission/queue", `/api/admission/queue/${slow.queueId}`]) {
        const seen = yield* get(path)
        const etag = seen.headers.get("etag") ?? ""
        assert.match(etag, /^W\/"sha256:/)
        const again = yield* get(path, { "if-none-match": `"x", ${etag}` })
        assert.strictEqual(again.status, 304)
        assert.strictEqual(again.headers.get("etag"), etag)
        assert.strictEqual(again.body, "")
        assert.strictEqual((yield* get(path, { "if-none-match": '"x"' })).status, 200)
        yield* choose({ limits: { global: { runs: 1 } } })
        assert.strictEqual((yield* get(path, { "if-none-match": etag })).status, 200)
        yield* choose({ limits: { global: { runs: null } } })
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("shows one entry with its place and what it depends on, and cancels it once", () =>
    Effect.gen(function* () {
      const { slow } = yield* scene
      const path = `/api/v1/admission/queue/${slow.queueId}`
      const { body } = yield* get(path)
      assert.strictEqual(body.schemaVersion, "admission-queue-inspection/v1")
      assert.deepStrictEqual(body.window, { limit: 1_000, waiting: 2, position: 2 })
      assert.deepInclude(body.eligibility, { eligible: false, reason: "capacity" })
      const cancelled = yield* post(`${path}/cancel`)
      assert.strictEqual(cancelled.status, 200)
      assert.strictEqual(cancelled.body.entry.state, "terminal")
      assert.strictEqual((yield* get(path)).body.entry.state, "terminal")
      const again = yield* post(`${path}/cancel`)
      assert.strictEqual(again.status, 409)
      assert.strictEqual(again.body.code, "CONFLICT")
      assert.strictEqual((yield* post("/api/admission/queue/none/cancel")).status, 404)
      assert.strictEqual((yield* get("/api/admission/queue/none")).status, 404)
      const listed = yield* get("/api/admission/queue?state=terminal,queued")
      assert.deepStrictEqual(
        listed.body.entries.map(({ state }: { state: string }) => state),
        ["queued", "terminal"]
      )
      assert.strictEqual((yield* get("/api/admission/queue")).body.total, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("needs agent:read to look and agent:write to cancel", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { slow } = yield* scene
      assert.strictEqual((yield* request("GET", "/api/admission/queue", { as: null })).status, 401)
      const path = `/api/admission/queue/${slow.queueId}/cancel`
      assert.strictEqual((yield* request("POST", path, { as: "agent" })).status, 403)
      assert.strictEqual((yield* request("POST", path, { as: "read-only" })).status, 403)
    }).pipe(Effect.provide(world()))
  )
})

describe("the reservations as they are shown", () => {
  it.scopedLive("lists the newest first, by each filter, with all that a reservation says", () =>
    Effect.gen(function* () {
      yield* launch("over")
      yield* end("over")
      yield* launch("runs", {
        taskId: "task_1",
        rootTaskId: "task_0",
        provider: "acp",
        hostId: "h",
        workspaceId: "w",
        workflowRunId: "run_1",
        workflowStepId: "step_1",
        rootReservationId: "res_0",
        tree: {
          schemaVersion: "execution-tree-identity/v1",
          rootObjectiveId: "run_1",
          nodeId: "node_2",
          parentNodeId: "node_1",
          depth: 1
        }
      })
      const { body, headers } = yield* get("/api/v1/admission")
      assert.strictEqual(headers.get("x-total-count"), "2")
      const [reservation, over] = body
      assert.deepInclude(reservation, {
        schemaVersion: "admission-reservation/v1",
        state: "active",
        revision: 1,
        requestedCapacity: { runs: 1, processes: 1, memoryMb: 0 },
        attemptBinding: {
          taskId: "task_1",
          attemptId: "runs",
          workflowRunId: "run_1",
          workflowStepId: "step_1",
          rootReservationId: "res_0"
        },
        executionTreeIdentity: {
          schemaVersion: "execution-tree-identity/v1",
          rootObjectiveId: "run_1",
          nodeId: "node_2",
          parentNodeId: "node_1",
          depth: 1
        },
        releaseEvidence: null
      })
      assert.strictEqual(reservation.request.schemaVersion, "admission-request/v1")
      assert.deepInclude(reservation.evaluatedPolicies[1], {
        scope: "workspace",
        scopeId: "w",
        limits: { runs: 10, processes: null, memoryMb: null }
      })
      assert.isAbove(Date.parse(reservation.lease.expiresAt), Date.parse(reservation.createdAt))
      assert.deepInclude(over, { state: "released", revision: 2 })
      assert.strictEqual(over.releaseEvidence.reason, "attempt-ended")

      const count = (query: string) => Effect.map(get(`/api/admission?${query}`), (list) => list.body.length)
      for (const query of [
        "workspaceId=w",
        "taskId=task_1",
        "rootTaskId=task_0",
        "provider=acp",
        "hostId=h",
        "workflowRunId=run_1",
        "workflowStepId=step_1",
        "rootReservationId=res_0",
        "rootObjectiveId=run_1",
        "nodeId=node_2",
        "parentNodeId=node_1",
        "state=active",
        "limit=1"
      ]) {
        assert.strictEqual(yield* count(query), 1, query)
        const name = query.split("=")[0] ?? ""
        if (name !== "state" && name !== "limit") assert.strictEqual(yield* count(`${name}=x`), 0, name)
      }
      assert.strictEqual(yield* count("state=active&state=released"), 2)
      assert.strictEqual(yield* count("limit=1000"), 2)
      for (const query of ["state=foo", "limit=0", "limit=1001", "limit=1.5"]) {
        assert.strictEqual((yield* get(`/api/admission?${query}`)).status, 400, query)
      }
      const one = yield* get(`/api/admission/${reservation.id}`)
      assert.deepStrictEqual(one.body, reservation)
      assert.strictEqual((yield* get(`/api/admission/${"x".repeat(200)}`)).status, 404)
      assert.strictEqual((yield* get("/api/admission/%FF")).status, 404)
    }).pipe(Effect.provide(world()))
  )
})
