import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Effect, Queue, type Scope } from "effect"

/** A request that arrived at a target. */
export interface Arrival {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
  readonly text: string
}

/** A real HTTP server on this machine, for what the service sends out. */
export interface Target {
  readonly url: string
  readonly arrivals: Queue.Dequeue<Arrival>
}

/** Starts a target that answers as it is told, 200 when it is told nothing. */
export const target = (
  answer: (response: ServerResponse, arrival: Arrival) => void = (response) => response.end()
): Effect.Effect<Target, never, Scope.Scope> =>
  Effect.gen(function* () {
    const arrivals = yield* Queue.unbounded<Arrival>()
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8")
        const body: unknown = text === "" ? undefined : JSON.parse(text)
        const arrival = { path: request.url ?? "", headers: request.headers, body, text }
        arrivals.unsafeOffer(arrival)
        answer(response, arrival)
      })
    })
    const port = yield* Effect.acquireRelease(
      Effect.async<number>((resume) => {
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
        })
      }),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    return { url: `http://127.0.0.1:${port}`, arrivals }
  })
