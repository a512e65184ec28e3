import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { create } from "../../src/board/tasks/Task.ts"
import { type Seen, type StubAnswer, stub } from "../support/Stub.ts"
import { toolsWith } from "../support/Tools.ts"

const task = {
  ...create({ title: "Sail" }, { id: "T-1", at: "2026-01-01T00:00:00.000Z", by: "ann" }),
  position: 0
}

const moved = {
  task: { ...task, status: "done", revision: 8 },
  operationId: "8c4d3b5e-8f6a-4a58-9d0e-0e5f3f1a2b3c",
  orderedTaskIds: ["T-1"],
  replayed: false
}

const stale: StubAnswer = {
  status: 409,
  body: {
    code: "CONFLICT",
    message: "The task was changed in the meantime",
    details: {
      resourceType: "task",
      resourceId: "T-1",
      expectedRevision: 1,
      currentRevision: 2,
      current: task
    }
  }
}

const elsewhere: StubAnswer = {
  status: 409,
  body: {
    error: "The task is elsewhere",
    code: "CONFLICT",
    details: {
      resourceType: "task",
      resourceId: "T-1",
      expectedStatus: "todo",
      expectedPosition: 0,
      currentStatus: "todo",
      currentPosition: 1,
      currentRevision: 1
    }
  }
}

const lost: StubAnswer = { status: 503, body: "<html>", type: "text/html" }

/** A board that reads the task, each time one revision further, and answers its writes with these in their order. */
const board = (...answers: ReadonlyArray<StubAnswer>) =>
  Effect.gen(function* () {
    let reads = 0
    const left = [...answers]
    const { seen, url } = yield* stub(({ method }) => {
      if (method === "GET") return { body: { ...task, revision: ++reads } }
      return left.shift() ?? { status: 500 }
    })
    const { call } = yield* toolsWith({ SERVICE_API_URL: url, SERVICE_API_KEY: "key" })
    const writes = (): ReadonlyArray<Seen> => seen.filter(({ method }) => method === "POST")
    return { call, writes }
  })

const operationsOf = (writes: ReadonlyArray<Seen>): ReadonlyArray<string> =>
  writes.map(({ body }) => JSON.parse(body).operationId)

describe("a move", () => {
  const move = { id: "T-1", status: "done" }

  it.scopedLive("is tried once more from where the task is by now", () =>
    Effect.gen(function* () {
      for (const conflict of [stale, elsewhere]) {
        const { call, writes } = yield* board(conflict, { body: moved })
        assert.deepStrictEqual(yield* call("move_task", move), {
          text: "T-1 moved to done, revision 8",
          isError: false
        })
        for (const { key } of writes()) assert.strictEqual(key, "key")
        const [first, second] = operationsOf(writes())
        assert.notStrictEqual(first, second, "it is another operation, with another source")
      }
    })
  )

  it.scopedLive("is given up when the second try meets somebody too", () =>
    Effect.gen(function* () {
      const { call, writes } = yield* board(stale, stale, { body: moved })
      const { isError, text } = yield* call("move_task", move)
      assert.isTrue(isError)
      assert.include(text, "changed in the meantime")
      assert.strictEqual(writes().length, 2)
    })
  )

  it.scopedLive("whose answer was lost is repeated as the same operation", () =>
    Effect.gen(function* () {
      const { call, writes } = yield* board(lost, { body: { ...moved, replayed: true } })
      assert.isFalse((yield* call("move_task", move)).isError)
      const [first, second] = operationsOf(writes())
      assert.strictEqual(first, second)
      const gone = yield* board(lost, lost, { body: moved })
      assert.isTrue((yield* gone.call("move_task", move)).isError)
      assert.strictEqual(gone.writes().length, 2)
    })
  )

  it.scopedLive("that is refused for another reason is not repeated", () =>
    Effect.gen(function* () {
      const archived = { status: 409, body: { error: "Task T-1 is archived", code: "CONFLICT" } }
      const { call, writes } = yield* board(archived, { body: moved })
      assert.isTrue((yield* call("move_task", move)).isError)
      assert.strictEqual(writes().length, 1)
    })
  )
})

describe("a claim of the next task", () => {
  it.scopedLive("whose answer was lost is repeated as the same operation", () =>
    Effect.gen(function* () {
      const claimed = { task: { ...task, assignee: "codex", revision: 2 }, reasons: [], replayed: true }
      const { call, writes } = yield* board(lost, { body: claimed })
      assert.strictEqual((yield* call("claim_task")).text, 'T-1 claimed by codex: "Sail", revision 2')
      const [first, second] = operationsOf(writes())
      assert.isString(first)
      assert.strictEqual(first, second)
    })
  )
})

describe("a write without an operation id", () => {
  it.scopedLive("is never repeated: nobody knows whether it was done", () =>
    Effect.gen(function* () {
      for (const [name, input] of [
        ["create_task", { title: "x" }],
        ["add_comment", { id: "T-1", text: "x" }],
        ["claim_task", { id: "T-1" }],
        ["squad_chat", { message: "x", agent: "codex" }],
        ["add_observation", { id: "T-1", content: "x" }]
      ] as const) {
        const { call, writes } = yield* board(lost, { body: {} })
        assert.isTrue((yield* call(name, input)).isError, name)
        assert.strictEqual(writes().length, 1, name)
      }
    })
  )
})
