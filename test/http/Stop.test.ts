import { connect, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { WebSocket } from "ws"
import * as Process from "../support/Process.ts"
import { converse } from "../support/RawHttp.ts"
import { keys, send, temporaryDirectory, World, world } from "../support/World.ts"

/** A connection on which something was said; it stays open until the server or the test ends it. */
const holdOpen = (port: number, said: string) =>
  Effect.acquireRelease(
    Effect.async<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(said, () => resume(Effect.succeed(socket)))
      })
      socket.on("error", () => {})
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const openSocket = (port: number) =>
  Effect.acquireRelease(
    Effect.async<WebSocket>((resume) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { "x-api-key": keys.agent } })
      socket.on("open", () => resume(Effect.succeed(socket)))
      socket.on("error", () => {})
    }),
    (socket) => Effect.sync(() => socket.terminate())
  )

const closeCode = (socket: WebSocket) =>
  Effect.async<number>((resume) => {
    socket.on("close", (code) => resume(Effect.succeed(code)))
  })

const halfPost = [
  "POST /api/tasks HTTP/1.1",
  "Host: localhost",
  `X-API-Key: ${keys.agent}`,
  "Content-Type: application/json",
  "Content-Length: 1000",
  "",
  '{"title":'
].join("\r\n")

describe.concurrent("a server that is told to stop", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it.scopedLive(`by ${signal} lets go of every connection and ends within five seconds`, () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const server = yield* Process.start(directory)
        const created = yield* send(server.baseUrl, "POST", "/api/tasks", { body: { title: "A task" } })
        const socket = yield* openSocket(server.port)
        const closed = yield* Effect.fork(closeCode(socket))
        yield* holdOpen(server.port, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        yield* holdOpen(server.port, "GET /health HTTP/1.1\r\nHost: loc")
        yield* holdOpen(server.port, halfPost)
        const { code, output, tookMs } = yield* server.end(signal)
        assert.strictEqual(code, 0, output)
        assert.isBelow(tookMs, 5_000)
        assert.strictEqual(yield* closed.await.pipe(Effect.flatten), 1001)
        assert.notInclude(output, keys.agent)
        const again = yield* Process.start(directory)
        const found = yield* send(again.baseUrl, "GET", `/api/tasks/${created.body.id}`)
        assert.deepStrictEqual(found.body, created.body)
      })
    )
  }
})

describe.concurrent("a sender that takes its time", () => {
  it.scopedLive("is cut off, and nobody waits for it", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* World
      const [outcomes] = yield* Effect.all(
        [
          Effect.forEach(
            ["GET /health HTTP/1.1\r\nHost: loc", halfPost],
            (said) => Effect.timed(converse(baseUrl, said)),
            { concurrency: "unbounded" }
          ),
          Effect.map(request("GET", "/health"), ({ status }) => assert.strictEqual(status, 200))
        ],
        { concurrency: "unbounded" }
      )
      for (const [took, heard] of outcomes) {
        assert.match(heard, /^HTTP\/1\.1 408 /)
        assert.isBelow(Duration.toMillis(took), 16_000)
      }
    }).pipe(Effect.provide(world()))
  )
})
