import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { column, createTask, etagOf, getTask, move, moveBody } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

const makeColumn = (count: number, status = "todo") =>
  Effect.forEach(Arr.range(1, count), (number) => createTask({ title: `Card ${number}`, status }))

describe("a move", () => {
  it.scopedLive("puts the card where it says, and answers with the column as it then is", () =>
    Effect.gen(function* () {
      const [a, b] = yield* makeColumn(2)
      const [x, y] = yield* makeColumn(2, "done")
      const body = moveBody(a, "done", 1)
      const answer = yield* move(a, body)
      assert.strictEqual(answer.status, 200)
      assert.hasAllKeys(answer.body, ["task", "operationId", "orderedTaskIds", "replayed"])
      assert.deepInclude(answer.body, {
        operationId: body.operationId,
        orderedTaskIds: [x.id, a.id, y.id],
        replayed: false
      })
      assert.deepInclude(answer.body.task, { status: "done", position: 1, revision: 2 })
      assert.deepStrictEqual(answer.body.task, yield* getTask(a.id))
      assert.strictEqual(answer.headers.get("etag"), etagOf(answer.body.task))
      assert.strictEqual(answer.headers.get("x-resource-revision"), "2")
      assert.deepStrictEqual(yield* column("done"), [x.id, a.id, y.id])
      assert.deepStrictEqual(yield* column("todo"), [b.id])
      assert.deepStrictEqual(
        answer.body.task.statusHistory.map(({ from, to }: Record<string, string>) => [from, to]),
        [["todo", "done"]]
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("within its column goes up and down, and beyond the end means the end", () =>
    Effect.gen(function* () {
      const cards = yield* makeColumn(4)
      const [a, b, c, d] = cards.map(({ id }) => id)
      const go = (id: string, index: number) =>
        Effect.gen(function* () {
          const task = yield* getTask(id)
          const { body, status } = yield* move(task, moveBody(task, "todo", index))
          assert.strictEqual(status, 200)
          assert.deepStrictEqual(yield* column("todo"), body.orderedTaskIds)
          return body.orderedTaskIds
        })
      assert.deepStrictEqual(yield* go(a, 2), [b, c, a, d])
      assert.deepStrictEqual(yield* go(d, 0), [d, b, c, a])
      assert.deepStrictEqual(yield* go(b, 1_000), [d, c, a, b])
      assert.deepStrictEqual(yield* go(c, 1), [d, c, a, b])
      const { revision, statusHistory } = yield* getTask(c ?? "")
      assert.deepStrictEqual([revision, statusHistory], [2, []], "a move to where it is is a change, too")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("raises the revision of its own card alone", () =>
    Effect.gen(function* () {
      const [a, ...others] = yield* makeColumn(4)
      const done = yield* makeColumn(2, "done")
      yield* move(a, moveBody(a, "done", 0))
      for (const { id } of [...others, ...done]) assert.strictEqual((yield* getTask(id)).revision, 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("of a card that is not where it was seen is refused, and says where it is", () =>
    Effect.gen(function* () {
      const [a, b] = yield* makeColumn(2)
      for (const seen of [
        { ...b, position: 0 },
        { ...b, position: 5 },
        { ...b, status: "done" },
        { ...b, status: "backlog", position: 0 }
      ]) {
        const refused = yield* move(b, moveBody(seen, "done", 0))
        assert.strictEqual(refused.status, 409)
        assert.hasAllKeys(refused.body, ["error", "code", "details"])
        assert.strictEqual(refused.body.code, "CONFLICT")
        assert.deepStrictEqual(refused.body.details, {
          resourceType: "task",
          resourceId: b.id,
          expectedStatus: seen.status,
          expectedPosition: seen.position,
          currentStatus: "todo",
          currentPosition: 1,
          currentRevision: 1
        })
      }
      assert.deepStrictEqual(yield* column("todo"), [a.id, b.id])
      // A neighbour that left shifts the card without a new revision: what was seen is no longer true.
      yield* move(a, moveBody(a, "done", 0))
      const shifted = yield* move(b, moveBody(b, "done", 0))
      assert.deepInclude(shifted.body.details, {
        expectedPosition: 1,
        currentPosition: 0,
        currentRevision: 1
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("has a body of which every part is needed and checked", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const [task] = yield* makeColumn(1)
      const body = moveBody(task, "done", 0)
      const wrong: ReadonlyArray<readonly [keyof typeof body, unknown]> = [
        ["operationId", "not-a-uuid"],
        ["operationId", 5],
        ["sourceStatus", "nowhere"],
        ["sourcePosition", "0"],
        ["sourcePosition", -1],
        ["sourcePosition", 0.5],
        ["destinationStatus", "nowhere"],
        ["destinationIndex", -1],
        ["destinationIndex", 1.5],
        ["destinationIndex", null]
      ]
      const bodies = [
        ...wrong.map(([field, value]) => ({ field, sent: { ...body, [field]: value } })),
        ...Object.keys(body).map((field) => ({ field, sent: { ...body, [field]: undefined } }))
      ]
      for (const { field, sent } of bodies) {
        const refused = yield* request("POST", `/api/tasks/${task.id}/move`, {
          body: sent,
          headers: { "if-match": etagOf(task) }
        })
        assert.strictEqual(refused.status, 400, field)
        assert.strictEqual(refused.body.code, "VALIDATION_ERROR")
        assert.strictEqual(refused.body.details.issues[0].path, field)
      }
      assert.deepStrictEqual(yield* getTask(task.id), task)
      const unknown = yield* move({ ...task, id: "nobody" }, body)
      assert.strictEqual(unknown.status, 404)
    }).pipe(Effect.provide(shared))
  )
})
