import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { ask, column, createTask, etagOf, getTask, move, moveBody } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { type Answer, temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const shared = sharedWorld()

const inParallel = { concurrency: "unbounded" } as const

/** Fires a request so many times at once. */
const race = <R>(times: number, fire: (index: number) => Effect.Effect<Answer, never, R>) =>
  Effect.forEach(Arr.range(1, times), fire, inParallel)

const withStatus = (answers: ReadonlyArray<Answer>, status: number) =>
  answers.filter((answer) => answer.status === status)

/** An answer without the one member in which a replay may differ, member for member in the same order. */
const asFirst = ({ body }: Answer): string => JSON.stringify({ ...body, replayed: false })

describe("a hundred writers with one revision", () => {
  it.scopedLive("change the task once; the others learn what it is now", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* createTask()
      const answers = yield* race(100, (index) =>
        request("PATCH", `/api/tasks/${task.id}`, {
          body: { title: `Title ${index}` },
          headers: { "if-match": etagOf(task) }
        })
      )
      const [winner, ...others] = withStatus(answers, 200)
      assert.deepStrictEqual(others, [])
      const losers = withStatus(answers, 409)
      assert.strictEqual(losers.length, 99)
      for (const { body } of losers) {
        assert.deepInclude(body.details, { expectedRevision: 1, currentRevision: 2 })
        assert.deepStrictEqual(body.details.current, winner?.body)
      }
      assert.deepStrictEqual(yield* getTask(task.id), winner?.body)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("claim the task once", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* createTask()
      const claim = (assignee: string) =>
        request("PATCH", `/api/tasks/${task.id}`, {
          body: { status: "in-progress", assignee },
          headers: { "x-resource-revision": "1" }
        })
      const answers = yield* Effect.all([claim("ann"), claim("bob")], inParallel)
      assert.sameMembers(
        answers.map(({ status }) => status),
        [200, 409]
      )
      const claimed = yield* getTask(task.id)
      assert.strictEqual(claimed.assignee, withStatus(answers, 200)[0]?.body.assignee)
      assert.strictEqual(claimed.statusHistory.length, 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("move the card once from where they all saw it", () =>
    Effect.gen(function* () {
      yield* createTask()
      const task = yield* createTask()
      const answers = yield* race(100, (index) => move(task, moveBody(task, "done", index)))
      assert.strictEqual(withStatus(answers, 200).length, 1)
      for (const { body } of withStatus(answers, 409)) {
        assert.deepInclude(body.details, { expectedRevision: 1, currentRevision: 2 })
      }
      assert.strictEqual(withStatus(answers, 409).length, 99)
      assert.strictEqual((yield* getTask(task.id)).revision, 2)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("move the card once even if they claim to know its newest revision", () =>
    Effect.gen(function* () {
      const task = yield* createTask()
      // `*` holds for every revision: the expected place is what decides.
      const answers = yield* race(100, () => move(task, moveBody(task, "done", 0), { "if-match": "*" }))
      assert.strictEqual(withStatus(answers, 200).length, 1)
      for (const { body } of withStatus(answers, 409)) {
        assert.deepInclude(body, { code: "CONFLICT" })
        assert.deepInclude(body.details, {
          expectedStatus: "todo",
          currentStatus: "done",
          currentRevision: 2
        })
      }
      assert.strictEqual(withStatus(answers, 409).length, 99)
    }).pipe(Effect.provide(shared))
  )
})

describe("one operation id", () => {
  it.scopedLive("moves the card once for fifty requests; the others replay that answer", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask()
      yield* createTask()
      const task = yield* getTask(id)
      const body = moveBody(task, "in-progress", 0)
      const answers = yield* race(50, () => move(task, body))
      assert.strictEqual(withStatus(answers, 200).length, 50)
      const executed = answers.filter((answer) => !answer.body.replayed)
      assert.strictEqual(executed.length, 1)
      for (const answer of answers) {
        assert.strictEqual(asFirst(answer), asFirst(executed[0] ?? answer))
        assert.strictEqual(answer.headers.get("etag"), `"task:${id}:2"`)
      }
      assert.strictEqual((yield* getTask(id)).revision, 2)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("moves one card: for another card, or to another place, it is refused", () =>
    Effect.gen(function* () {
      const task = yield* createTask()
      const other = yield* createTask()
      const body = moveBody(task, "done", 0)
      assert.strictEqual((yield* move(task, body)).status, 200)
      for (const refused of [
        yield* move(other, { ...moveBody(other, "done", 0), operationId: body.operationId }),
        yield* move(task, { ...body, destinationIndex: 1 })
      ]) {
        assert.strictEqual(refused.status, 409)
        assert.hasAllKeys(refused.body, ["error", "code", "details"])
        assert.deepStrictEqual(refused.body.details, { operationId: body.operationId })
      }
      assert.deepStrictEqual(yield* column("done"), [task.id])
      assert.deepStrictEqual(yield* column("todo"), [other.id])
      // The letters of a UUID have no case: this is the same request once more.
      const loud = { ...body, operationId: body.operationId.toUpperCase() }
      assert.isTrue((yield* move(task, loud)).body.replayed)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is not used up by a move that was refused", () =>
    Effect.gen(function* () {
      const task = yield* createTask()
      const body = moveBody(task, "done", 0)
      assert.strictEqual((yield* move(task, body, { "if-match": '"task:else:1"' })).status, 409)
      assert.strictEqual((yield* move(task, body, {})).status, 400)
      const moved = yield* move(task, body)
      assert.strictEqual(moved.status, 200)
      assert.isFalse(moved.body.replayed)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("replays after a restart what it answered before, though the board has gone on", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { body, first, task } = yield* Effect.gen(function* () {
        const task = yield* createTask()
        const body = moveBody(task, "done", 0)
        const first = yield* move(task, body)
        yield* ask("PATCH", `/api/tasks/${task.id}`, { body: { title: "Later", status: "todo" } })
        return { body, first, task }
      }).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        const again = yield* move(task, body)
        assert.isTrue(again.body.replayed)
        assert.strictEqual(asFirst(again), asFirst(first))
        assert.deepInclude(yield* getTask(task.id), { title: "Later", status: "todo", revision: 3 })
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})

describe("writers that meet", () => {
  it.scopedLive("create one task of one explicit id", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const answers = yield* race(30, (index) =>
        request("POST", "/api/tasks", { body: { id: "mine", title: `Title ${index}` } })
      )
      const [created, ...others] = withStatus(answers, 201)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(withStatus(answers, 409).length, 29)
      assert.deepStrictEqual(yield* getTask("mine"), created?.body)
      assert.deepStrictEqual(yield* column("todo"), ["mine"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("claim one external identity once", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const item = { provider: "github", repository: "acme/board", number: 7 }
      const answers = yield* race(20, (index) =>
        request("POST", "/api/tasks", { body: { title: `Title ${index}`, externalWorkItems: [item] } })
      )
      assert.strictEqual(withStatus(answers, 201).length, 1)
      assert.strictEqual(withStatus(answers, 409).length, 19)
      const list = yield* request("GET", "/api/tasks")
      assert.notProperty(list.body, "meta")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("reorder, move, create, archive and delete, and every column stays dense", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const made = yield* Effect.forEach(Arr.range(1, 30), (index) =>
        createTask({ status: index % 2 === 0 ? "todo" : "done" })
      )
      const ids: ReadonlyArray<string> = made.map(({ id }) => id)
      yield* race(120, (index) => {
        const id = ids[(index * 7) % ids.length] ?? ""
        switch (index % 6) {
          case 0:
            return request("POST", "/api/tasks/reorder", {
              body: { taskIds: [id, ids[(index * 11) % ids.length] ?? ""] }
            })
          case 1:
            return request("POST", "/api/tasks", { body: { title: "New", status: "done" } })
          case 2:
            return request("POST", `/api/tasks/${id}/archive`)
          case 3:
            return request("DELETE", `/api/tasks/${id}`, { as: "admin" })
          case 4:
            return request("PATCH", `/api/tasks/${id}`, { body: { status: "blocked" } })
          default:
            return Effect.flatMap(request("GET", `/api/tasks/${id}`), ({ body, status }) =>
              status === 200
                ? move(body, moveBody(body, "todo", index % 5), { "if-match": "*" })
                : request("GET", "/api/tasks/counts")
            )
        }
      })
      const sizes = yield* Effect.forEach(["todo", "done", "blocked"], column)
      const counts = yield* ask("GET", "/api/tasks/counts")
      assert.deepStrictEqual(
        sizes.map((members) => members.length),
        [counts.todo, counts.done, counts.blocked]
      )
    }).pipe(Effect.provide(world()))
  )
})
