import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { ask, createTask } from "../../support/Board.ts"
import { World, world } from "../../support/World.ts"

const titles = (query: string) =>
  Effect.map(
    ask("GET", `/api/tasks${query}`),
    ({ tasks }): ReadonlyArray<string> => tasks.map(({ title }: { title: string }) => title)
  )

const board = Effect.gen(function* () {
  yield* createTask({
    title: "a",
    status: "done",
    priority: "low",
    project: "x",
    type: "bug",
    agents: ["ann"]
  })
  yield* createTask({ title: "b", status: "todo", priority: "high", project: "x", assignee: "ann" })
  yield* createTask({ title: "c", status: "backlog", priority: "high", project: "y", agents: ["ann", "bob"] })
  yield* createTask({ title: "d", status: "todo", priority: "critical", type: "docs" })
  const { id } = yield* createTask({ title: "e", status: "todo", project: "x" })
  yield* ask("POST", `/api/tasks/${id}/archive`)
})

describe("the list of tasks", () => {
  it.scopedLive("is the board, backlog included, column by column and without the archive", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* board
      assert.deepStrictEqual(yield* titles(""), ["c", "b", "d", "a"])
      assert.deepStrictEqual(yield* titles("?archived=true"), ["e"])
      const { body, headers } = yield* request("GET", "/api/v1/tasks", { as: "read-only" })
      assert.hasAllKeys(body, ["tasks"])
      assert.strictEqual(headers.get("x-total-count"), "4")
      assert.strictEqual(headers.get("x-veritas-task-identity-conflicts"), null)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("holds the tasks for which every filter is true", () =>
    Effect.gen(function* () {
      yield* board
      const expected: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
        ["?status=todo", ["b", "d"]],
        ["?status=todo&status=done", ["b", "d", "a"]],
        ["?status=done,backlog", ["c", "a"]],
        ["?status=done,%20todo", ["b", "d", "a"]],
        ["?status=blocked", []],
        ["?priority=high", ["c", "b"]],
        ["?project=x", ["b", "a"]],
        ["?project=x&priority=high", ["b"]],
        ["?project=x&archived=true", ["e"]],
        ["?type=bug", ["a"]],
        ["?type=code", ["c", "b"]],
        ["?assignee=ann", ["b"]],
        ["?agent=bob", ["c"]],
        ["?agent=an", []],
        ["?nobodyKnows=this", ["c", "b", "d", "a"]]
      ]
      for (const [query, found] of expected) assert.deepStrictEqual(yield* titles(query), found, query)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("has success and total with the agent filter, and only with it", () =>
    Effect.gen(function* () {
      yield* board
      const { tasks, ...rest } = yield* ask("GET", "/api/tasks?agent=ann&limit=1")
      assert.deepStrictEqual(rest, { success: true, total: 2 })
      assert.strictEqual(tasks.length, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is paged by limit and offset, and counts the whole in a header", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* Effect.forEach(Arr.range(0, 24), (number) => createTask({ title: String(number) }))
      const pages = yield* Effect.forEach([0, 10, 20, 30], (offset) =>
        request("GET", `/api/tasks?limit=10&offset=${offset}`)
      )
      assert.deepStrictEqual(
        pages.flatMap(({ body }) => body.tasks.map(({ title }: { title: string }) => Number(title))),
        Arr.range(0, 24)
      )
      for (const { headers } of pages) assert.strictEqual(headers.get("x-total-count"), "25")
      assert.deepStrictEqual(yield* titles("?offset=23"), ["23", "24"])
      const filtered = yield* request("GET", "/api/tasks?limit=1&status=done")
      assert.strictEqual(filtered.headers.get("x-total-count"), "0")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused when its query makes no sense", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const [query, path] of [
        ["status=someday", "status"],
        ["status=todo,someday", "status"],
        ["priority=someday", "priority"],
        ["archived=perhaps", "archived"],
        ["limit=0", "limit"],
        ["limit=-1", "limit"],
        ["limit=10001", "limit"],
        ["limit=many", "limit"],
        ["limit=1.5", "limit"],
        ["offset=-1", "offset"]
      ]) {
        const { body, status } = yield* request("GET", `/api/tasks?${query}`)
        assert.strictEqual(status, 400, query)
        assert.strictEqual(body.code, "VALIDATION_ERROR")
        assert.isTrue(body.details.issues[0].path.startsWith(path), JSON.stringify(body))
        assert.notInclude(JSON.stringify(body), "someday")
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is counted by column", () =>
    Effect.gen(function* () {
      const empty = yield* ask("GET", "/api/tasks/counts")
      assert.deepStrictEqual(empty, {
        backlog: 0,
        todo: 0,
        "in-progress": 0,
        blocked: 0,
        done: 0,
        cancelled: 0,
        archived: 0,
        total: 0
      })
      yield* board
      const counts = yield* ask("GET", "/api/tasks/counts")
      assert.deepStrictEqual(counts, { ...empty, backlog: 1, todo: 2, done: 1, archived: 1, total: 4 })
    }).pipe(Effect.provide(world()))
  )
})
