import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { ask, createTask, getTask } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

const next = (query = "") => ask("GET", `/api/tasks/next${query}`)

describe("the next task", () => {
  it.scopedLive("is none on an empty board, and says so", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* next(), {
        task: null,
        reasons: ["There is nothing in todo"],
        alternatives: [],
        queue: { ready: 0, stale: 0, blocked: 0, others: 0, duplicate: 0 }
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is whole, with why it is this one and what else there is", () =>
    Effect.gen(function* () {
      yield* createTask({ id: "low", priority: "low" })
      yield* createTask({ id: "free", priority: "critical", title: "Mend it" })
      const mine = yield* createTask({ id: "mine", assignee: "codex" })
      yield* createTask({ id: "theirs", assignee: "ann", priority: "critical" })
      const { alternatives, queue, reasons, task } = yield* next()
      assert.deepStrictEqual(task, mine)
      assert.deepStrictEqual(reasons, [
        "It was given to codex",
        "Its priority is medium",
        "Nothing that it depends on is unfinished",
        "It comes first of 3 that can be taken up"
      ])
      assert.deepStrictEqual(alternatives, [
        { id: "free", title: "Mend it", priority: "critical", mine: false, stale: false },
        { id: "low", title: "A task", priority: "low", mine: false, stale: false }
      ])
      assert.deepStrictEqual(queue, { ready: 3, stale: 0, blocked: 0, others: 1, duplicate: 0 })
      assert.deepStrictEqual(yield* getTask("mine"), mine, "reading changes nothing")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("waits for what it depends on until that is done, cancelled or archived", () =>
    Effect.gen(function* () {
      yield* createTask({ id: "wall", status: "in-progress" })
      yield* createTask({ id: "waits" })
      yield* ask("POST", "/api/tasks/waits/dependencies", { body: { dependsOn: "wall" } })
      const held = yield* next()
      assert.isNull(held.task)
      assert.deepStrictEqual(held.reasons, [
        "Nothing in todo can be taken up",
        "1 task waits for tasks that are not finished"
      ])
      for (const status of ["done", "cancelled"]) {
        yield* ask("PATCH", "/api/tasks/wall", { body: { status } })
        assert.strictEqual((yield* next()).task.id, "waits", status)
        yield* ask("PATCH", "/api/tasks/wall", { body: { status: "blocked" } })
        assert.isNull((yield* next()).task)
      }
      yield* ask("POST", "/api/tasks/wall/archive")
      assert.strictEqual((yield* next()).task.id, "waits")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("belongs to the agent that asks, or to nobody", () =>
    Effect.gen(function* () {
      yield* createTask({ id: "for-ann", agents: ["ann", "bob"] })
      yield* createTask({ id: "ann-does", agents: ["bob"], assignee: "ann" })
      const seenBy = (agent: string) =>
        Effect.map(next(`?agent=${agent}`), ({ alternatives, task }) =>
          [task, ...alternatives].flatMap((found) => (found === null ? [] : [found.id]))
        )
      assert.deepStrictEqual(yield* seenBy("ann"), ["for-ann", "ann-does"])
      assert.deepStrictEqual(yield* seenBy("bob"), ["for-ann"])
      assert.deepStrictEqual(yield* seenBy("eve"), [])
      assert.deepStrictEqual((yield* next()).queue, {
        ready: 0,
        stale: 0,
        blocked: 0,
        others: 2,
        duplicate: 0
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is of the project and the type that are asked for, and as many others as fit", () =>
    Effect.gen(function* () {
      yield* createTask({ id: "a", project: "web", type: "bug" })
      yield* createTask({ id: "b", project: "web", type: "docs" })
      yield* createTask({ id: "c", project: "api", type: "bug" })
      assert.strictEqual((yield* next("?project=api")).task.id, "c")
      assert.strictEqual((yield* next("?type=docs")).task.id, "b")
      assert.isNull((yield* next("?project=api&type=docs")).task)
      assert.deepStrictEqual((yield* next("?limit=0")).alternatives, [])
      assert.strictEqual((yield* next("?limit=1")).alternatives.length, 1)
      const { request } = yield* World
      for (const query of ["?limit=51", "?limit=-1", "?limit=x", "?agent=", `?project=${"x".repeat(201)}`]) {
        const refused = yield* request("GET", `/api/tasks/next${query}`)
        assert.strictEqual(refused.status, 400, query)
        assert.strictEqual(refused.body.code, "VALIDATION_ERROR")
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is none that shares an identity, which nobody could claim", () =>
    Effect.gen(function* () {
      const raw = [
        '{"id":"twin","title":"One"}',
        '{"id":"twin","title":"Two"}',
        '{"id":"gh-1","title":"Three","externalWorkItems":[{"provider":"github","repository":"o/r","number":1}]}',
        '{"id":"gh-2","title":"Four","externalWorkItems":[{"provider":"github","repository":"o/r","number":1}]}'
      ].join("\n")
      yield* ask("POST", "/api/tasks/import", {
        as: "admin",
        raw,
        headers: { "content-type": "application/x-ndjson" }
      })
      const { queue, reasons, task } = yield* next()
      assert.isNull(task)
      assert.deepStrictEqual(queue, { ready: 0, stale: 0, blocked: 0, others: 0, duplicate: 4 })
      assert.include(reasons, "4 tasks share their identity with other tasks")
      const claimed = yield* ask("POST", "/api/tasks/claim-next", { body: {} })
      assert.isNull(claimed.task)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is for readers to see and not to claim", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      assert.strictEqual((yield* request("GET", "/api/tasks/next", { as: "read-only" })).status, 200)
      for (const path of ["/api/tasks/claim-next", `/api/tasks/${id}/claim`]) {
        const refused = yield* request("POST", path, { as: "read-only", body: {} })
        assert.strictEqual(refused.status, 403)
        assert.strictEqual(refused.body.details.requiredPermission, "task:write")
      }
      assert.strictEqual((yield* getTask(id)).status, "todo")
    }).pipe(Effect.provide(shared))
  )

  const priorities = ["low", "medium", "high", "critical"]
  const card = FastCheck.record({
    priority: FastCheck.constantFrom(...priorities),
    status: FastCheck.constantFrom("todo", "todo", "todo", "backlog", "done"),
    assignee: FastCheck.constantFrom(undefined, undefined, "codex", "ann"),
    agents: FastCheck.constantFrom([], [], ["codex"], ["ann"], ["ann", "codex"]),
    dependsOn: FastCheck.option(FastCheck.nat(7), { nil: undefined })
  })

  it.scopedLive("comes in the order that the description gives, whatever the board is like", () =>
    Effect.gen(function* () {
      for (const [round, cards] of FastCheck.sample(FastCheck.array(card, { minLength: 1, maxLength: 8 }), {
        numRuns: 15,
        seed: 7
      }).entries()) {
        const project = `round-${round}`
        const made: Array<{ id: string; index: number } & (typeof cards)[number]> = []
        for (const [index, { dependsOn, ...fields }] of cards.entries()) {
          const { id } = yield* createTask({ ...fields, project })
          const below = made[dependsOn ?? -1]
          if (below !== undefined) {
            yield* ask("POST", `/api/tasks/${id}/dependencies`, { body: { dependsOn: below.id } })
          }
          made.push({ ...fields, dependsOn, id, index })
        }
        const isMine = ({ agents, assignee }: (typeof made)[number]) =>
          assignee === undefined ? agents.includes("codex") : assignee === "codex"
        const expected = made
          .filter(({ status }) => status === "todo")
          .filter((task) => isMine(task) || (task.assignee === undefined && task.agents.length === 0))
          .filter(({ dependsOn, index }) => {
            const below = dependsOn !== undefined && dependsOn < index ? made[dependsOn] : undefined
            return below === undefined || below.status === "done"
          })
          .sort(
            (left, right) =>
              Number(isMine(right)) - Number(isMine(left)) ||
              priorities.indexOf(right.priority) - priorities.indexOf(left.priority) ||
              left.index - right.index
          )
          .map(({ id }) => id)
        const { alternatives, queue, task } = yield* next(`?project=${project}&limit=50`)
        const found = task === null ? [] : [task.id, ...alternatives.map(({ id }: { id: string }) => id)]
        assert.deepStrictEqual(found, expected, JSON.stringify(cards))
        assert.strictEqual(queue.ready, expected.length)
      }
    }).pipe(Effect.provide(shared))
  )
})
