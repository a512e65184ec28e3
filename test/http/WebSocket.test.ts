import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { ask, createTask, getTask, move, moveBody } from "../support/Board.ts"
import * as Process from "../support/Process.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { type Listener, type ListenOptions, listen } from "../support/Socket.ts"
import { keys, send, temporaryDirectory, World, world } from "../support/World.ts"

const shared = sharedWorld()

const open = (options?: ListenOptions) => Effect.flatMap(World, ({ baseUrl }) => listen(baseUrl, options))

const withKey = (key: string): ListenOptions => ({ headers: { "x-api-key": key } })

/** The connection still does what it should. */
const assertAlive = (listener: Listener) =>
  Effect.zipRight(
    listener.send({ type: "ping" }),
    listener.until(({ type }) => type === "pong")
  )

const subscribe = (listener: Listener, taskId: string, more: object = {}) =>
  Effect.zipRight(
    listener.send({ type: "subscribe", taskId, ...more }),
    listener.until(({ type }) => type === "subscribed" || type === "error")
  )

describe("the upgrade", () => {
  it.scopedLive("takes a key of any role, in a header or in the query", () =>
    Effect.gen(function* () {
      for (const key of Object.values(keys)) {
        yield* assertAlive(yield* open(withKey(key)))
        yield* assertAlive(yield* open({ headers: {}, path: `/ws?api_key=${key}` }))
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is a plain 401 without a valid key, and a wrong header is not made good by the query", () =>
    Effect.gen(function* () {
      for (const options of [
        { headers: {} },
        { headers: {}, path: "/ws?api_key=" },
        { headers: {}, path: "/ws?api_key=wrong" },
        withKey("wrong"),
        { headers: { "x-api-key": "wrong" }, path: `/ws?api_key=${keys.agent}` },
        { headers: { authorization: "Bearer wrong" }, path: `/ws?api_key=${keys.agent}` }
      ]) {
        const { body, status } = yield* Effect.flip(open(options))
        assert.strictEqual(status, 401, JSON.stringify(options))
        assert.hasAllKeys(body, ["error", "code"])
        assert.strictEqual(body.code, "UNAUTHORIZED")
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is a 403 for a foreign page and a foreign name, before anybody asks for the key", () =>
    Effect.gen(function* () {
      const key = { "x-api-key": keys.agent }
      const foreign: ReadonlyArray<readonly [string, Record<string, string>]> = [
        ["origin", { ...key, origin: "https://evil.example.com" }],
        ["origin", { ...key, origin: "null" }],
        ["origin", { origin: "https://evil.example.com" }],
        ["host", { ...key, host: "evil.example.com" }]
      ]
      for (const [reason, headers] of foreign) {
        const { body, status } = yield* Effect.flip(open({ headers }))
        assert.strictEqual(status, 403)
        assert.deepInclude(body, { code: "PERMISSION_DENIED", details: { reason } })
      }
      const allowed = { ...key, host: "localhost:3001", origin: "http://localhost:3001" }
      yield* assertAlive(yield* open({ headers: allowed }))
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is a 404 anywhere but at /ws", () =>
    Effect.gen(function* () {
      for (const path of ["/", "/ws/", "/wss", "/api/ws", "/api/tasks", "/ws/board"]) {
        const { body, status } = yield* Effect.flip(open({ path }))
        assert.strictEqual(status, 404, path)
        assert.strictEqual(body.code, "NOT_FOUND")
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("leaves no key in the log, whatever becomes of it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const admin = "the-administrators-own"
      const server = yield* Process.start(directory, {
        SERVICE_LOG_LEVEL: "trace",
        SERVICE_ADMIN_KEY: admin
      })
      yield* listen(server.baseUrl, { headers: {}, path: `/ws?api_key=${admin}` })
      const listener = yield* listen(server.baseUrl, { headers: {}, path: `/ws?api_key=${keys.agent}` })
      yield* listener.send("{ not JSON")
      yield* listener.send(Buffer.alloc(70_000))
      yield* listener.closed
      yield* Effect.flip(listen(server.baseUrl, { headers: {}, path: "/ws?api_key=wrong-key" }))
      yield* Effect.flip(listen(server.baseUrl, { path: `/elsewhere?api_key=${keys.agent}` }))
      yield* send(server.baseUrl, "GET", `/api/tasks?api_key=${keys.agent}`, {
        as: null,
        headers: { "x-api-key": "wrong-key" }
      })
      const { output } = yield* server.end("SIGTERM")
      for (const key of [admin, keys.agent, keys["read-only"], "wrong-key"]) assert.notInclude(output, key)
    })
  )
})

describe("a listener", () => {
  it.scopedLive("is told of every change of a task, with the task as it then is", () =>
    Effect.gen(function* () {
      const listener = yield* open(withKey(keys["read-only"]))
      const { id } = yield* createTask()
      const steps = [
        Effect.void,
        ask("PATCH", `/api/tasks/${id}`, { body: { title: "Changed" } }),
        Effect.flatMap(getTask(id), (task) => move(task, moveBody(task, "done", 0))),
        ask("POST", `/api/tasks/${id}/comments`, { body: { text: "Good" } }),
        ask("POST", `/api/tasks/${id}/time/start`),
        ask("PUT", `/api/tasks/${id}/progress`, { body: { content: "Half" } }),
        ask("POST", `/api/tasks/${id}/archive`),
        ask("POST", `/api/tasks/${id}/restore`)
      ]
      let last = 0
      for (const [index, step] of steps.entries()) {
        yield* step
        const { sequence, task, type } = yield* listener.next
        assert.strictEqual(type, "task:updated")
        assert.strictEqual(task.revision, index + 1)
        assert.deepStrictEqual(task, yield* getTask(id))
        assert.isAbove(sequence, last)
        last = sequence
      }
      yield* ask("DELETE", `/api/tasks/${id}`, { as: "admin" })
      assert.deepInclude(yield* listener.next, { type: "task:deleted", taskId: id })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is told of a new order, and of nothing that was refused", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const [first, second] = yield* Effect.all([createTask(), createTask()])
      const listener = yield* open()
      yield* request("PATCH", `/api/tasks/${first.id}`, {
        body: { title: "Stale" },
        headers: { "if-match": `"task:${first.id}:7"` }
      })
      yield* request("POST", "/api/tasks", { body: {} })
      yield* request("PATCH", `/api/tasks/${first.id}`, { body: {} })
      yield* ask("POST", "/api/tasks/reorder", { body: { taskIds: [second.id] } })
      assert.deepInclude(yield* listener.next, { type: "board:reordered", status: "todo" })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is told why it can't be understood, and stays", () =>
    Effect.gen(function* () {
      const listener = yield* open()
      for (const wrong of [
        "{ not JSON",
        "",
        "null",
        "[]",
        '"ping"',
        Buffer.from('{"type":"ping"}'),
        { type: "nobody-knows" },
        { type: "subscribe" },
        { type: "subscribe", taskId: 5 },
        { type: "subscribe", taskId: "a", afterSequence: -1 },
        { type: "subscribe", taskId: "a", afterSequence: "1" },
        { type: "resume" },
        { type: "resume", afterSequence: 1.5 },
        { type: "unsubscribe" }
      ]) {
        yield* listener.send(wrong)
        const { code, message, type } = yield* listener.next
        assert.deepStrictEqual([type, code], ["error", "VALIDATION_ERROR"], JSON.stringify(wrong))
        assert.isNotEmpty(message)
      }
      yield* assertAlive(listener)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("may say 64 kilobytes at once; more ends its connection and nobody else's", () =>
    Effect.gen(function* () {
      const [loud, other] = yield* Effect.all([open(), open()])
      const ping = JSON.stringify({ type: "ping" })
      yield* loud.send(ping + " ".repeat(65_536 - ping.length))
      assert.deepStrictEqual(yield* loud.next, { type: "pong" })
      yield* loud.send(ping + " ".repeat(65_537 - ping.length))
      assert.strictEqual((yield* loud.closed).code, 1009)
      yield* assertAlive(other)
      yield* createTask()
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("that floods the server is cut off, and others are heard meanwhile", () =>
    Effect.gen(function* () {
      const [loud, other] = yield* Effect.all([open(), open()])
      yield* Effect.forEach(Arr.range(1, 5_000), () => loud.send({ type: "ping" }))
      yield* assertAlive(other)
      assert.strictEqual((yield* loud.closed).code, 1008)
      yield* assertAlive(other)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("that does not read is cut off, and the others hear everything", () =>
    Effect.gen(function* () {
      const [asleep, other] = yield* Effect.all([open(), open()])
      yield* asleep.pause
      const { id } = yield* createTask()
      const description = "x".repeat(95_000)
      const writes = 250
      for (const _ of Arr.range(1, writes)) {
        yield* ask("PATCH", `/api/tasks/${id}`, { body: { description } })
      }
      const heard = yield* Effect.forEach(Arr.range(0, writes), () => other.next)
      assert.deepStrictEqual(
        heard.map(({ task }) => task.revision),
        Arr.range(1, writes + 1)
      )
      yield* asleep.resume
      const { code, reason } = yield* asleep.closed
      assert.strictEqual(code, 1013)
      assert.include(reason, "resume")
      assert.isBelow((yield* asleep.waiting).length, writes)
    }).pipe(Effect.provide(world()))
  )
})

describe("a subscription", () => {
  it.scopedLive("replays the events of its task and goes on with those that come", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask()
      yield* ask("PATCH", `/api/tasks/${id}`, { body: { status: "done" } })
      const listener = yield* open()
      assert.deepStrictEqual(yield* subscribe(listener, id), {
        type: "subscribed",
        taskId: id,
        attemptId: null,
        cursor: 0,
        taskCursor: 2
      })
      yield* ask("POST", `/api/tasks/${id}/comments`, { as: "admin", body: { text: "Good" } })
      const isEvent = ({ type }: { type: string }) => type === "task:event"
      const events = yield* Effect.forEach(Arr.range(1, 3), () => listener.until(isEvent))
      assert.deepStrictEqual(
        events.map(({ timestamp: _, ...event }) => event),
        [
          {
            type: "task:event",
            taskId: id,
            sequence: 1,
            kind: "task.created",
            actor: "codex",
            data: { revision: 1, to: "todo" }
          },
          {
            type: "task:event",
            taskId: id,
            sequence: 2,
            kind: "task.updated",
            actor: "codex",
            data: { revision: 2, fields: ["status"], from: "todo", to: "done" }
          },
          {
            type: "task:event",
            taskId: id,
            sequence: 3,
            kind: "task.commented",
            actor: "admin",
            data: { revision: 3 }
          }
        ]
      )
      for (const { timestamp } of events) assert.isNotNaN(Date.parse(timestamp))
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("begins after the sequence that it names, and ends when it is given up", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask()
      for (const title of ["a", "b", "c"]) yield* ask("PATCH", `/api/tasks/${id}`, { body: { title } })
      const listener = yield* open()
      const confirmed = yield* subscribe(listener, id, { afterSequence: 3 })
      assert.deepInclude(confirmed, { attemptId: null, cursor: 0, taskCursor: 4 })
      assert.deepInclude(yield* listener.next, { type: "task:event", sequence: 4 })
      yield* listener.send({ type: "unsubscribe", taskId: id })
      assert.deepStrictEqual(yield* listener.next, { type: "unsubscribed", taskId: id })
      yield* ask("PATCH", `/api/tasks/${id}`, { body: { title: "d" } })
      assert.strictEqual((yield* listener.next).type, "task:updated")
      yield* listener.send({ type: "ping" })
      assert.deepStrictEqual(yield* listener.next, { type: "pong" })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("to a task that is not there is refused", () =>
    Effect.gen(function* () {
      const listener = yield* open()
      assert.deepInclude(yield* subscribe(listener, "nobody"), {
        type: "error",
        code: "NOT_FOUND",
        requestType: "subscribe"
      })
      yield* assertAlive(listener)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("misses nothing and repeats nothing while others write", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask()
      const write = (index: number) => ask("PATCH", `/api/tasks/${id}`, { body: { title: `Title ${index}` } })
      const listeners = yield* Effect.forEach(Arr.range(1, 4), () => open())
      const [heard] = yield* Effect.all(
        [
          Effect.forEach(
            listeners.entries(),
            ([index, listener]) =>
              Effect.gen(function* () {
                yield* Effect.sleep(index * 15)
                yield* subscribe(listener, id)
                return yield* Effect.forEach(Arr.range(1, 101), () =>
                  listener.until(({ type }) => type === "task:event")
                )
              }),
            { concurrency: "unbounded" }
          ),
          Effect.forEach(Arr.range(1, 100), write, { concurrency: 3 })
        ],
        { concurrency: "unbounded" }
      )
      for (const events of heard) {
        assert.deepStrictEqual(
          events.map(({ sequence }) => sequence),
          Arr.range(1, 101)
        )
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is one of a hundred, which may all be asked for at once", () =>
    Effect.gen(function* () {
      const tasks = yield* Effect.forEach(Arr.range(1, 101), () => createTask())
      const listener = yield* open()
      yield* Effect.forEach(tasks, ({ id }) => listener.send({ type: "subscribe", taskId: id }))
      const answers = yield* Effect.forEach(tasks, () =>
        listener.until(({ type }) => type === "subscribed" || type === "error")
      )
      assert.strictEqual(answers.filter(({ type }) => type === "subscribed").length, 100)
      assert.deepInclude(answers.at(-1), { type: "error", code: "LIMIT_REACHED", requestType: "subscribe" })
    }).pipe(Effect.provide(shared))
  )
})
