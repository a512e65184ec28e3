import { createServer, type Server } from "node:http"
import { Context, Effect, Layer } from "effect"
import type * as Refusal from "./Refusal.ts"

/** How long a stop waits for requests that are under way before it cuts them, in milliseconds. */
const stopGrace = 3_000

/**
 * Node's HTTP server, not listening yet. It is a service of its own because requests, sockets and the stop all hang on
 * it. A sender has 10 seconds for its headers and 13 for the whole request; every two seconds somebody looks.
 */
export class NodeServer extends Context.Tag("muster/NodeServer")<NodeServer, Server>() {
  static readonly layer = Layer.scoped(
    NodeServer,
    Effect.acquireRelease(
      Effect.sync(() => {
        const server = createServer({
          headersTimeout: 10_000,
          requestTimeout: 13_000,
          keepAliveTimeout: 10_000,
          connectionsCheckingInterval: 2_000,
          maxHeaderSize: 16_384,
          noDelay: true
        })
        server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
          if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy()
          socket.end(
            rawRefusal(error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? timedOut : unreadable(error.code))
          )
        })
        return server
      }),
      stop
    )
  )
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

const unreadable = (code: string | undefined): Refusal.Refusal => ({
  status: code === "HPE_HEADER_OVERFLOW" ? 431 : 400,
  body: { error: "The request is not valid HTTP", code: "VALIDATION_ERROR" }
})

/** A refusal for a connection on which no response object exists yet. */
export const rawRefusal = ({ body, status }: Refusal.Refusal): string => {
  const text = JSON.stringify(body)
  return `HTTP/1.1 ${status} ${reasonPhrases[status] ?? "Error"}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
  503: "Service Unavailable"
}
