import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, FastCheck } from "effect"
import { ask, createTask, etagOf, getTask } from "../../support/Board.ts"
import { type Answer, temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const inParallel = { concurrency: "unbounded" } as const

const next = (query = "") => ask("GET", `/api/tasks/next${query}`)
const claimNext = (body: object = {}) =>
  Effect.flatMap(World, ({ request }) => request("POST", "/api/tasks/claim-next", { body }))
const claim = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  Effect.flatMap(World, ({ request }) => request("POST", `/api/tasks/${id}/claim`, { body, headers }))

const idsOf = (answers: ReadonlyArray<Answer>): ReadonlyArray<string> =>
  answers.flatMap(({ body }) => (body.task === null ? [] : [body.task.id]))

describe("the next task", () => {
  it.scopedLive("is none on an empty board, and says so", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* next(), {
        task: null,
        reasons: ["There is nothing in todo"],
        alternatives: [],
        queue: { ready: 0, blocked: 0, others: 0, duplicate: 0 }
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
        { id: "free", title: "Mend it", priority: "critical", mine: false },
        { id: "low", title: "A task", priority: "low", mine: false }
      ])
      assert.deepStrictEqual(queue, { ready: 3, blocked: 0, others: 1, duplicate: 0 })
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
      assert.deepStrictEqual((yield* next()).queue, { ready: 0, blocked: 0, others: 2, duplicate: 0 })
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
      assert.deepStrictEqual(queue, { ready: 0, blocked: 0, others: 0, duplicate: 4 })
      assert.include(reasons, "4 tasks share their identity with other tasks")
      assert.isNull((yield* claimNext()).body.task)
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
    }).pipe(Effect.provide(world()))
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
    }).pipe(Effect.provide(world()))
  )
})

describe("claiming the next task", () => {
  it.scopedLive("puts it in progress in the agent's hands, and sets off what a new status sets off", () =>
    Effect.gen(function* () {
      yield* ask("PATCH", "/api/settings/features", {
        as: "admin",
        body: { enforcement: { squadChat: true, autoTelemetry: true, autoTimeTracking: true } }
      })
      const { id } = yield* createTask({ title: "Sail" })
      const { body, status } = yield* claimNext({ agent: "ann" })
      assert.strictEqual(status, 200)
      assert.isFalse(body.replayed)
      assert.deepInclude(body.reasons, "Nobody has it")
      assert.deepInclude(body.task, { id, status: "in-progress", assignee: "ann", revision: 2, position: 0 })
      assert.isTrue(body.task.timeTracking.isRunning)
      assert.deepStrictEqual(yield* getTask(id), body.task)
      const [started] = yield* ask("GET", `/api/telemetry/events?taskId=${id}`)
      assert.strictEqual(started.type, "run.started")
      const chat = yield* ask("GET", "/api/chat/squad?includeSystem=true")
      assert.strictEqual(chat.length, 1)
      const nothing = yield* claimNext()
      assert.deepStrictEqual(
        [nothing.status, nothing.body],
        [200, { task: null, reasons: ["There is nothing in todo"], replayed: false }]
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("gives each of a hundred at once a task of its own while there are any", () =>
    Effect.gen(function* () {
      const made = yield* Effect.forEach(Arr.range(1, 30), () => createTask())
      const answers = yield* Effect.forEach(
        Arr.range(1, 100),
        (index) => claimNext({ agent: `agent-${index}` }),
        inParallel
      )
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      const claimed = idsOf(answers)
      assert.strictEqual(claimed.length, 30)
      assert.sameMembers(
        [...claimed],
        made.map(({ id }) => id)
      )
      for (const { body } of answers.filter(({ body }) => body.task !== null)) {
        assert.strictEqual((yield* getTask(body.task.id)).assignee, body.task.assignee)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is safe to repeat with its operation id, also after a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const operationId = randomUUID()
      const first = yield* Effect.gen(function* () {
        assert.isNull((yield* claimNext({ operationId })).body.task, "nothing uses up no operation")
        yield* createTask({ id: "a" })
        yield* createTask({ id: "b" })
        const answers = yield* Effect.forEach(Arr.range(1, 10), () => claimNext({ operationId }), inParallel)
        assert.deepStrictEqual(new Set(idsOf(answers)), new Set(["a"]))
        assert.strictEqual(answers.filter(({ body }) => !body.replayed).length, 1)
        return answers[0]?.body
      }).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        const again = yield* claimNext({ operationId: operationId.toUpperCase() })
        assert.deepStrictEqual(again.body, { ...first, replayed: true })
        const other = yield* claimNext({ operationId, project: "web" })
        assert.strictEqual(other.status, 409)
        assert.deepInclude(other.body, { code: "CONFLICT", details: { operationId } })
        assert.strictEqual((yield* getTask("b")).status, "todo")
        const wrong = yield* claimNext({ operationId: "1" })
        assert.strictEqual(wrong.status, 400)
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})

describe("claiming a task", () => {
  it.scopedLive("is won by one of a hundred, even when they are one and the same", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask()
      const answers = yield* Effect.forEach(Arr.range(1, 100), () => claim(id), inParallel)
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
      const losers = answers.filter(({ status }) => status === 409)
      assert.strictEqual(losers.length, 99)
      for (const { body } of losers) {
        assert.deepStrictEqual(body, {
          error: `Task ${id} is in-progress: only a task in todo can be claimed. Claim another one`,
          code: "CONFLICT",
          details: { taskId: id, status: "in-progress", reason: "not-todo" }
        })
      }
      const task = yield* getTask(id)
      assert.deepInclude(task, { revision: 2, assignee: "codex", status: "in-progress" })
      assert.strictEqual(task.statusHistory.length, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("answers the task with its revision, and heeds a precondition", () =>
    Effect.gen(function* () {
      const task = yield* createTask()
      const stale = yield* claim(task.id, {}, { "if-match": `"task:${task.id}:7"` })
      assert.strictEqual(stale.status, 409)
      assert.deepInclude(stale.body.details, { expectedRevision: 7, currentRevision: 1 })
      const claimed = yield* claim(task.id, { agent: "ann" }, { "if-match": etagOf(task) })
      assert.strictEqual(claimed.status, 200)
      assert.strictEqual(claimed.headers.get("etag"), `"task:${task.id}:2"`)
      assert.deepInclude(claimed.body, { assignee: "ann", status: "in-progress" })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused for somebody else's, for an archived, an unknown and a finished one", () =>
    Effect.gen(function* () {
      const theirs = yield* createTask({ assignee: "ann" })
      const refused = yield* claim(theirs.id)
      assert.strictEqual(refused.status, 409)
      assert.deepStrictEqual(refused.body, {
        error: `Task ${theirs.id} was given to somebody else. Claim another one, or change its assignee first`,
        code: "CONFLICT",
        details: { taskId: theirs.id, status: "todo", reason: "given-to-others" }
      })
      assert.strictEqual((yield* claim(theirs.id, { agent: "ann" })).status, 200)
      const forBob = yield* createTask({ agents: ["bob"] })
      assert.strictEqual((yield* claim(forBob.id)).body.details.reason, "given-to-others")
      assert.strictEqual((yield* claim(forBob.id, { agent: "bob" })).status, 200)
      const { id: finished } = yield* createTask({ status: "done" })
      assert.strictEqual((yield* claim(finished)).body.details.status, "done")
      yield* ask("POST", `/api/tasks/${finished}/archive`)
      assert.strictEqual((yield* claim(finished)).status, 409)
      assert.strictEqual((yield* claim("nobody")).status, 404)
      assert.strictEqual((yield* claim(theirs.id, { agent: " " })).status, 400)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is not stopped by unfinished dependencies: who names a task has decided", () =>
    Effect.gen(function* () {
      const wall = yield* createTask()
      const waits = yield* createTask()
      yield* ask("POST", `/api/tasks/${waits.id}/dependencies`, { body: { dependsOn: wall.id } })
      assert.strictEqual((yield* claim(waits.id)).status, 200)
    }).pipe(Effect.provide(world()))
  )
})
