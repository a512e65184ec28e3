import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { ask, createTask, etagOf, getTask } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { type Answer, temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const shared = sharedWorld()

const inParallel = { concurrency: "unbounded" } as const

const claimNext = (body: object = {}) =>
  Effect.flatMap(World, ({ request }) => request("POST", "/api/tasks/claim-next", { body }))
const claim = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  Effect.flatMap(World, ({ request }) => request("POST", `/api/tasks/${id}/claim`, { body, headers }))

const idsOf = (answers: ReadonlyArray<Answer>): ReadonlyArray<string> =>
  answers.flatMap(({ body }) => (body.task === null ? [] : [body.task.id]))

describe("the next task", () => {
  it.scopedLive("comes with its revision, whether it is looked at or claimed", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const looked = yield* request("GET", "/api/tasks/next")
      assert.strictEqual(looked.headers.get("etag"), `"task:${id}:1"`)
      assert.strictEqual(looked.headers.get("x-resource-revision"), "1")
      const operationId = randomUUID()
      for (const replayed of [false, true]) {
        const claimed = yield* claimNext({ operationId })
        assert.deepInclude(claimed.body, { replayed })
        assert.strictEqual(claimed.headers.get("etag"), etagOf(claimed.body.task))
        assert.strictEqual(claimed.headers.get("x-resource-revision"), "2")
      }
      for (const nothing of [yield* request("GET", "/api/tasks/next"), yield* claimNext()]) {
        assert.isNull(nothing.headers.get("etag"))
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
      assert.deepInclude(started, { type: "run.started", agent: "ann" })
      const chat = yield* ask("GET", "/api/chat/squad?includeSystem=true")
      assert.deepStrictEqual(
        chat.map((said: { agent: string; createdBy?: string }) => said.agent),
        ["ann"],
        "it is told in the name of whom it is claimed for"
      )
      assert.strictEqual(body.task.updatedBy, "codex")
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
          error: `Task ${id} is in-progress, in the hands of codex: only a task in todo can be claimed. Claim another one`,
          code: "CONFLICT",
          details: { taskId: id, status: "in-progress", reason: "not-todo", holders: ["codex"] }
        })
      }
      const task = yield* getTask(id)
      assert.deepInclude(task, { revision: 2, assignee: "codex", status: "in-progress" })
      assert.strictEqual(task.statusHistory.length, 1)
    }).pipe(Effect.provide(shared))
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
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is refused for somebody else's, for an archived, an unknown and a finished one", () =>
    Effect.gen(function* () {
      const theirs = yield* createTask({ assignee: "ann" })
      const refused = yield* claim(theirs.id)
      assert.strictEqual(refused.status, 409)
      assert.deepStrictEqual(refused.body, {
        error: `Task ${theirs.id} was given to ann. Claim another one, or change its assignee first`,
        code: "CONFLICT",
        details: { taskId: theirs.id, status: "todo", reason: "given-to-others", holders: ["ann"] }
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
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is not stopped by unfinished dependencies: who names a task has decided", () =>
    Effect.gen(function* () {
      const wall = yield* createTask()
      const waits = yield* createTask()
      yield* ask("POST", `/api/tasks/${waits.id}/dependencies`, { body: { dependsOn: wall.id } })
      assert.strictEqual((yield* claim(waits.id)).status, 200)
    }).pipe(Effect.provide(shared))
  )
})
