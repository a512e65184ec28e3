import { createServer, type Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { Context, Effect, Layer, Runtime } from "effect"
import { makeGuard } from "./Guard.ts"
import { answerAndEnd, asksForHead } from "./RawAnswer.ts"
import * as Refusal from "./Refusal.ts"

/** How long a stop waits for requests that are under way before it cuts them, in milliseconds. */
const stopGrace = 3_000

/** How much a request line and its headers may take, in bytes. */
const headerLimit = 16_384

/**
 * Node's HTTP server, not listening yet. It is a service of its own because requests, sockets and the stop all hang on
 * it. A sender has 10 seconds for its headers and 13 for the whole request; every two seconds somebody looks.
 */
export class NodeServer extends Context.Tag("muster/NodeServer")<NodeServer, Server>() {
  static readonly layer = Layer.scoped(
    NodeServer,
    Effect.acquireRelease(
      Effect.gen(function* () {
        const guard = yield* makeGuard
        const runtime = yield* Effect.runtime<never>()
        const server = createServer({
          headersTimeout: 10_000,
          requestTimeout: 13_000,
          keepAliveTimeout: 10_000,
          connectionsCheckingInterval: 2_000,
          maxHeaderSize: headerLimit,
          noDelay: true
        })
        server.on(
          "checkExpectation",
          guard(
            (_, response) => Refusal.send(response, Refusal.expectation),
            (request) => request.socket
          )
        )
        server.on(
          "clientError",
          guard(onClientError, (_, socket) => socket)
        )
        server.on("error", (error) => {
          // Before it listens, whoever opens the port hears of it; afterwards one connection could not be taken.
          if (server.listening)
            Runtime.runFork(runtime)(Effect.logWarning("A connection was not taken", error))
        })
        return server
      }),
      stop
    )
  )
}

/** What came is no request, or took too long to become one. */
const onClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  // An answer now would be taken for that of the whole request that is still at work.
  if (error.code === "ECONNRESET" || !socket.writable || isAtWork(socket)) {
    socket.destroy()
  } else {
    const refusal = error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? timedOut : unreadable(error.code)
    answerAndEnd(socket, refusal, { headOnly: asksForHead(Reflect.get(error, "rawPacket")) })
  }
}

/** Whether a request that came in whole waits for its answer on a socket. Node keeps the response there. */
const isAtWork = (socket: Duplex): boolean => {
  const response: unknown = Reflect.get(socket, "_httpMessage")
  return response instanceof ServerResponse && response.req.complete
}

/** Takes no new connection, lets requests end, and cuts what is left after the grace. */
function stop(server: Server): Effect.Effect<void> {
  return Effect.async<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    const cut = setTimeout(() => server.closeAllConnections(), stopGrace)
    server.close(() => {
      clearTimeout(cut)
      resume(Effect.void)
    })
    server.closeIdleConnections()
  })
}

const timedOut: Refusal.Refusal = {
  status: 408,
  body: { error: "The request took too long to arrive", code: "REQUEST_TIMEOUT" }
}

const unreadable = (code: string | undefined): Refusal.Refusal =>
  code === "HPE_HEADER_OVERFLOW"
    ? {
        status: 431,
        body: {
          error: `The request line and the headers are larger than ${headerLimit} bytes`,
          code: "VALIDATION_ERROR"
        }
      }
    : { status: 400, body: { error: "The request is not valid HTTP", code: "VALIDATION_ERROR" } }
