import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ObservationNotFound } from "../../../src/board/observations/Errors.ts"
import { TaskNotFound } from "../../../src/board/tasks/Errors.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const shared = sharedWorld()

const newTask = (title = "Ship it") =>
  Effect.gen(function* () {
    const { request } = yield* World
    return (yield* request("POST", "/api/tasks", { body: { title } })).body
  })

const observe = (taskId: string, content: string, more: object = {}) =>
  Effect.gen(function* () {
    const { request } = yield* World
    return (yield* request("POST", `/api/tasks/${taskId}/observations`, { body: { content, ...more } })).body
  })

const contents = (observations: ReadonlyArray<{ readonly content: string }>) =>
  observations.map(({ content }) => content)

describe("an observation", () => {
  it.scopedLive("is written down on a task and answered alone", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* newTask()
      const created = yield* request("POST", `/api/tasks/${task.id}/observations`, {
        body: { content: "  Use the queue  ", type: "decision", agent: "planner", importance: 8 }
      })
      assert.strictEqual(created.status, 201)
      assert.match(created.body.id, /^obs_/)
      assert.match(created.body.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepInclude(created.body, {
        taskId: task.id,
        type: "decision",
        content: "Use the queue",
        importance: 8,
        importanceBand: "high",
        agent: "planner",
        createdBy: "codex"
      })
      const listed = yield* request("GET", `/api/v1/tasks/${task.id}/observations`)
      assert.deepStrictEqual(listed.body, { success: true, observations: [created.body] })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is written down with the task in the body and answered in a wrapper", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* newTask()
      const created = yield* request("POST", "/api/observations", {
        body: { taskId: task.id, type: "blocker", content: "No access", importance: 1 }
      })
      assert.strictEqual(created.status, 201)
      assert.strictEqual(created.body.success, true)
      assert.deepInclude(created.body.observation, {
        taskId: task.id,
        type: "blocker",
        importanceBand: "low"
      })
      assert.notProperty(created.body.observation, "agent")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("leaves the revision of its task alone", () =>
    Effect.gen(function* () {
      const { client } = yield* World
      const { observations, tasks } = yield* client()
      const { id } = yield* tasks.create({ payload: { title: "Ship it" } })
      yield* observations.createOnTask({ path: { id }, payload: { content: "Noted" } })
      assert.strictEqual((yield* tasks.get({ path: { id } })).revision, 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("keeps neither script markup, nor control characters, nor secrets", () =>
    Effect.gen(function* () {
      const task = yield* newTask()
      const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
      const observation = yield* observe(
        task.id,
        `\u0007<script>alert("x")</script>The token is ${token}.\nBye`,
        {
          agent: `bot ${token}`
        }
      )
      assert.strictEqual(observation.content, "The token is [REDACTED].\nBye")
      assert.strictEqual(observation.agent, "bot [REDACTED]")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is refused with every fault of its body named", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* newTask()
      const refused = (body: object) =>
        Effect.map(request("POST", "/api/observations", { body: { taskId: task.id, ...body } }), (answer) => {
          assert.strictEqual(answer.status, 400)
          assert.strictEqual(answer.body.error, "Validation failed")
          assert.strictEqual(answer.body.code, "VALIDATION_ERROR")
          return answer.body.details.issues.map(({ path }: { readonly path: string }) => path).sort()
        })
      assert.deepStrictEqual(yield* refused({}), ["content"])
      assert.deepStrictEqual(yield* refused({ content: 5, type: "note", importance: "5" }), [
        "content",
        "importance",
        "type"
      ])
      for (const content of ["", "  \n", "<script>alert(1)</script>", "x".repeat(10_001)]) {
        assert.deepStrictEqual(yield* refused({ content }), ["content"])
      }
      for (const importance of [0, 11, 5.5, null]) {
        assert.deepStrictEqual(yield* refused({ content: "x", importance }), ["importance"])
      }
      assert.deepStrictEqual(yield* refused({ content: "x", agent: " " }), ["agent"])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("may be as long as 10,000 characters and as important as 10", () =>
    Effect.gen(function* () {
      const task = yield* newTask()
      const observation = yield* observe(task.id, `  ${"x".repeat(10_000)}  `, { importance: 10 })
      assert.strictEqual(observation.content.length, 10_000)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("needs a task that exists", () =>
    Effect.gen(function* () {
      const { client, request } = yield* World
      const { observations } = yield* client()
      const error = yield* observations
        .create({ payload: { taskId: "nowhere", content: "Lost" } })
        .pipe(Effect.flip)
      assert.deepStrictEqual(error, new TaskNotFound({ taskId: "nowhere" }))
      for (const [method, body] of [
        ["GET", undefined],
        ["POST", { content: "Lost" }]
      ] as const) {
        const answer = yield* request(method, "/api/tasks/nowhere/observations", { body })
        assert.strictEqual(answer.status, 404)
        assert.deepStrictEqual(answer.body, {
          error: "Task nowhere does not exist",
          code: "NOT_FOUND",
          details: { taskId: "nowhere" }
        })
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is there after a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const before = yield* Effect.gen(function* () {
        return yield* observe((yield* newTask()).id, "Still here")
      }).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        const { request } = yield* World
        assert.deepStrictEqual((yield* request("GET", "/api/observations")).body, [before])
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})

describe("the list of observations", () => {
  it.scopedLive("is newest first, filtered by text and type, and counts what matches", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const one = yield* newTask("One")
      const other = yield* newTask("Other")
      yield* observe(one.id, "First about caching", { type: "insight" })
      yield* observe(other.id, "Second about CACHING", { type: "decision" })
      yield* observe(one.id, "Third about nothing", { type: "decision" })
      const list = (query: string) =>
        Effect.map(request("GET", `/api/observations${query}`), ({ body, headers, status }) => {
          assert.strictEqual(status, 200)
          return { contents: contents(body), total: headers.get("x-total-count") }
        })
      assert.deepStrictEqual(yield* list(""), {
        contents: ["Third about nothing", "Second about CACHING", "First about caching"],
        total: "3"
      })
      assert.deepStrictEqual(yield* list("?q=Caching"), {
        contents: ["Second about CACHING", "First about caching"],
        total: "2"
      })
      assert.deepStrictEqual(yield* list("?q=caching&type=decision"), {
        contents: ["Second about CACHING"],
        total: "1"
      })
      assert.deepStrictEqual(yield* list("?limit=1"), { contents: ["Third about nothing"], total: "3" })
      const ofTask = yield* request("GET", `/api/tasks/${one.id}/observations?limit=1`)
      assert.deepStrictEqual(contents(ofTask.body.observations), ["Third about nothing"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("takes the text literally, in any case and any encoding of accents", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* newTask()
      yield* observe(id, "100% of a_b\\c")
      yield* observe(id, "100 of aXb/c, it's ÜBER caf\u0065\u0301")
      const found = (q: string) =>
        Effect.map(request("GET", `/api/observations?q=${encodeURIComponent(q)}`), ({ body }) => body.length)
      assert.strictEqual(yield* found("%"), 1)
      assert.strictEqual(yield* found("a_B"), 1)
      assert.strictEqual(yield* found("\\"), 1)
      assert.strictEqual(yield* found("it's"), 1)
      assert.strictEqual(yield* found("über CAF\u00c9"), 1)
      assert.strictEqual(yield* found("100"), 2)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("refuses filters that mean nothing", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const query of ["type=note", "q=", "limit=0", "limit=1001", "limit=x"]) {
        const answer = yield* request("GET", `/api/observations?${query}`)
        assert.strictEqual(answer.status, 400)
        assert.strictEqual(answer.body.details.issues[0].path, query.split("=")[0])
      }
    }).pipe(Effect.provide(shared))
  )
})

describe("the search for observations", () => {
  it.scopedLive("answers page by page, with the titles of the tasks", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const one = yield* newTask("One")
      const other = yield* newTask("Other")
      const first = yield* observe(one.id, "Needle 1")
      yield* observe(one.id, "Hay")
      const second = yield* observe(other.id, "needle 2")
      const third = yield* observe(one.id, "A NEEDLE 3")
      const { body, status } = yield* request("GET", "/api/observations/search?query=needle")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        success: true,
        results: [
          { ...third, taskTitle: "One" },
          { ...second, taskTitle: "Other" },
          { ...first, taskTitle: "One" }
        ],
        total: 3,
        limit: 20,
        offset: 0
      })
      const page = yield* request("GET", "/api/observations/search?query=needle&limit=1&offset=1")
      assert.deepStrictEqual(page.body, {
        success: true,
        results: [{ ...second, taskTitle: "Other" }],
        total: 3,
        limit: 1,
        offset: 1
      })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("needs a query and a page that exists", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const query of ["", "?query=", "?query=%20", "?query=x&limit=101", "?query=x&offset=-1"]) {
        const { body, status } = yield* request("GET", `/api/observations/search${query}`)
        assert.strictEqual(status, 400)
        assert.strictEqual(body.code, "VALIDATION_ERROR")
      }
    }).pipe(Effect.provide(shared))
  )
})

describe("deleting an observation", () => {
  it.scopedLive("works by its own path and by the path of its task", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* newTask()
      const one = yield* observe(id, "One")
      const two = yield* observe(id, "Two")
      const removed = yield* request("DELETE", `/api/observations/${one.id}`)
      assert.strictEqual(removed.status, 204)
      assert.strictEqual(removed.body, "")
      const alias = yield* request("DELETE", `/api/tasks/${id}/observations/${two.id}`)
      assert.strictEqual(alias.status, 204)
      assert.deepStrictEqual((yield* request("GET", "/api/observations")).body, [])
      const again = yield* request("DELETE", `/api/observations/${one.id}`)
      assert.strictEqual(again.status, 404)
      assert.deepStrictEqual(again.body, {
        error: `Observation ${one.id} does not exist`,
        code: "NOT_FOUND",
        details: { observationId: one.id }
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("does not reach the observations of another task", () =>
    Effect.gen(function* () {
      const { client } = yield* World
      const { observations } = yield* client()
      const one = yield* newTask("One")
      const other = yield* newTask("Other")
      const { id } = yield* observe(one.id, "Mine")
      const error = yield* observations
        .removeFromTask({ path: { id: other.id, observationId: id } })
        .pipe(Effect.flip)
      assert.deepStrictEqual(error, new ObservationNotFound({ observationId: id }))
      assert.strictEqual((yield* observations.list({ urlParams: {} })).length, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("happens once when two try it at the same time", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* observe((yield* newTask()).id, "Contested")
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => request("DELETE", `/api/observations/${id}`)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status).sort(),
        [204, 404, 404, 404, 404, 404, 404, 404]
      )
    }).pipe(Effect.provide(shared))
  )
})

describe("permissions on observations", () => {
  it.scopedLive("let read-only keys read and nothing else", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* newTask()
      const { id: observationId } = yield* observe(id, "Readable")
      const as = "read-only"
      for (const path of [
        `/api/tasks/${id}/observations`,
        "/api/observations",
        "/api/observations/search?query=read"
      ]) {
        assert.strictEqual((yield* request("GET", path, { as })).status, 200)
        assert.strictEqual((yield* request("GET", path, { as: null })).status, 401)
      }
      for (const [method, path, body] of [
        ["POST", `/api/tasks/${id}/observations`, { content: "x" }],
        ["POST", "/api/observations", { taskId: id, content: "x" }],
        ["DELETE", `/api/observations/${observationId}`, undefined],
        ["DELETE", `/api/tasks/${id}/observations/${observationId}`, undefined]
      ] as const) {
        const answer = yield* request(method, path, { as, body })
        assert.strictEqual(answer.status, 403)
        assert.deepInclude(answer.body, {
          code: "PERMISSION_DENIED",
          details: { requiredPermission: "task:write", role: "read-only" }
        })
      }
    }).pipe(Effect.provide(shared))
  )
})
