import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Queue, TestClock } from "effect"
import { WebSocketServer } from "ws"
import { makeTeller, readMessage } from "../../src/cli/live/Message.ts"
import { paint } from "../../src/cli/text/Paint.ts"
import { cliWith } from "../support/Cli.ts"
import { deserted } from "../support/Stub.ts"
import { keys, World, world } from "../support/World.ts"

const telling = () => {
  const tell = makeTeller(paint(false))
  return (message: unknown) => tell(readMessage(JSON.stringify(message)))
}
const text = (message: unknown): string => telling()(message) ?? ""

describe("a message of the stream", () => {
  it("is kept although nobody knows its kind", () => {
    const message = { type: "moon:eclipse", sequence: 7, moon: { phase: "new" } }
    const read = readMessage(JSON.stringify(message))
    assert.deepStrictEqual(read, { type: "moon:eclipse", sequence: 7, body: message })
    assert.strictEqual(text(message), 'moon:eclipse  {"moon":{"phase":"new"}}')
  })

  it("is kept although it has another form than its kind had", () => {
    assert.strictEqual(text({ type: "task:updated", task: { id: 1 } }), 'task:updated  {"task":{"id":1}}')
    assert.strictEqual(text({ type: "squad:message" }), "squad:message  {}")
    assert.deepInclude(readMessage("{"), { type: "unreadable", body: { text: "{" } })
    assert.deepInclude(readMessage("[1]"), { type: "unreadable" })
    assert.deepInclude(readMessage("{}"), { type: "unknown" })
  })

  it("of the squad is a line, and an event of the system divides the lines", () => {
    const message = {
      id: "msg_1",
      agent: "codex",
      message: "Ready\nto sail",
      system: false,
      tags: [],
      mentions: [],
      pinned: false,
      decision: false,
      reactions: [],
      createdBy: "codex",
      createdAt: "2026-01-01T00:00:00.000Z",
      timestamp: "2026-01-01T00:00:00.000Z"
    }
    assert.strictEqual(text({ type: "squad:message", message }), "codex: Ready to sail")
    const event = { ...message, system: true, kind: "spawned", message: "codex started" }
    assert.match(text({ type: "squad:message", message: event }), /^──── spawned · codex started ─+$/)
  })
})

describe("what is told of a task", () => {
  it.scopedLive("is what a person did, once, and nothing of what the server does along with it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const tell = telling()
      const written = (method: string, path: string, body: unknown) =>
        Effect.gen(function* () {
          yield* request(method, path, { body })
          const { body: task } = yield* request("GET", "/api/tasks/T-1")
          return tell({ type: "task:updated", task })
        })
      assert.strictEqual(
        yield* written("POST", "/api/tasks", { id: "T-1", title: "Sail" }),
        "todo         T-1 Sail (codex)"
      )
      assert.strictEqual(
        yield* written("PATCH", "/api/tasks/T-1", { status: "in-progress", assignee: "ann" }),
        "in-progress  T-1 Sail (codex)"
      )
      assert.isUndefined(yield* written("POST", "/api/tasks/T-1/time/start", {}))
      assert.isUndefined(yield* written("PATCH", "/api/tasks/T-1", { assignee: "ann" }))
      assert.strictEqual(
        yield* written("POST", "/api/tasks/T-1/comments", { text: "Ready\nto go" }),
        "comment      T-1 Sail (codex): Ready to go"
      )
      assert.strictEqual(
        yield* written("PATCH", "/api/tasks/T-1", { priority: "high", labels: ["sea"] }),
        "changed      T-1 Sail (codex): priority, labels"
      )
      assert.strictEqual(
        yield* written("PATCH", "/api/tasks/T-1", { status: "done" }),
        "done         T-1 Sail (codex)"
      )
    }).pipe(Effect.provide(world()))
  )
})

describe("watch", () => {
  it.scopedLive("follows the board", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* World
      const environment = { SERVICE_API_URL: baseUrl, SERVICE_API_KEY: keys.agent }
      const watching = yield* Effect.fork(cliWith(environment, "watch", "--limit", "2"))
      yield* request("POST", "/api/tasks", { body: { id: "T-1", title: "Sail", status: "done" } })
      // Nobody knows when the watcher has come: the task changes until it has seen enough.
      yield* request("PATCH", "/api/tasks/T-1", { body: { priority: "high" } }).pipe(
        Effect.repeat({ until: () => Effect.map(Fiber.poll(watching), Option.isSome) })
      )
      const ran = yield* Fiber.join(watching)
      assert.strictEqual(ran.exitCode, 0)
      assert.include(ran.stdout, "done         T-1 Sail (")
    }).pipe(Effect.provide(world()))
  )

  it.scoped("comes back to a stream that broke, and goes on after the last message", () =>
    Effect.gen(function* () {
      const asked = yield* Queue.unbounded<string>()
      const server = createServer()
      const sockets = new WebSocketServer({ server })
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const socket of sockets.clients) socket.terminate()
          server.close()
        })
      )
      sockets.on("connection", (socket, { url = "" }) => {
        asked.unsafeOffer(url)
        const sequence = Number(new URL(url, "http://localhost").searchParams.get("afterSequence") ?? 40) + 1
        socket.send(JSON.stringify({ type: "moon:eclipse", sequence }), () => socket.terminate())
      })
      const port = yield* Effect.async<number>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
      })
      const environment = { SERVICE_API_URL: `http://127.0.0.1:${port}`, SERVICE_API_KEY: keys.agent }
      const watching = yield* Effect.fork(cliWith(environment, "watch", "--limit", "2", "--json"))
      const first = yield* Queue.take(asked)
      yield* TestClock.adjust("1 second").pipe(
        Effect.zipRight(Effect.promise(() => new Promise(setImmediate))),
        Effect.repeat({ until: () => Effect.map(Queue.size(asked), (size) => size > 0) })
      )
      const ran = yield* Fiber.join(watching)
      assert.strictEqual(ran.exitCode, 0)
      assert.deepStrictEqual([first, yield* Queue.take(asked)], ["/ws", "/ws?afterSequence=41"])
      assert.deepStrictEqual(
        ran.stdout.split("\n").map((line) => JSON.parse(line)),
        [
          { type: "moon:eclipse", sequence: 41 },
          { type: "moon:eclipse", sequence: 42 }
        ]
      )
      assert.include(ran.stderr, "trying again")
    })
  )

  it.scopedLive("fails when there never was a stream", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const nobody = yield* cliWith({ SERVICE_API_URL: yield* deserted, SERVICE_API_KEY: "x" }, "watch")
      assert.strictEqual(nobody.exitCode, 6)
      assert.include(nobody.stderr, "nobody listens there")
      const stranger = yield* cliWith({ SERVICE_API_URL: baseUrl, SERVICE_API_KEY: "x" }, "watch", "--json")
      assert.strictEqual(stranger.exitCode, 3)
      assert.deepInclude(stranger.json(), { code: "UNAUTHORIZED" })
    }).pipe(Effect.provide(world()))
  )
})
