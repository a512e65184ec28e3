import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** A request as a stub saw it. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly key: string | undefined
  readonly body: string
}

/** An answer of a stub; `hang` leaves the request without one. */
export interface StubAnswer {
  readonly status?: number
  readonly type?: string
  readonly body?: unknown
  readonly hang?: boolean
  /** Where it says that the answer is instead. */
  readonly location?: string
}

/** A running stub. */
export interface Stub {
  readonly url: string
  readonly seen: ReadonlyArray<Seen>
  /** Waits for the first request. */
  readonly asked: Effect.Effect<void>
  readonly close: () => void
}

/** An address at which nobody listens any more. */
export const deserted: Effect.Effect<string> = Effect.async((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resume(Effect.succeed(`http://127.0.0.1:${port}`)))
  })
})

/** An HTTP server that is not Muster: it notes what it is asked and answers what it is told. */
export const stub = (answer: (seen: Seen) => StubAnswer) =>
  Effect.acquireRelease(
    Effect.async<Stub>((resume) => {
      const seen: Array<Seen> = []
      let noticed = () => {}
      const first = new Promise<void>((resolve) => {
        noticed = resolve
      })
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const key = request.headers["x-api-key"]
          const noted: Seen = {
            method: request.method ?? "",
            url: request.url ?? "",
            key: typeof key === "string" ? key : undefined,
            body: Buffer.concat(chunks).toString()
          }
          seen.push(noted)
          noticed()
          const { body, hang, location, status = 200, type = "application/json" } = answer(noted)
          if (hang === true) return
          response.writeHead(status, {
            "content-type": type,
            ...(location === undefined ? {} : { location })
          })
          response.end(typeof body === "string" ? body : JSON.stringify(body ?? {}))
        })
      })
      // A stub is no stream: who asks for one is answered as everybody else.
      server.on("upgrade", (_, socket) => {
        const { location = "", status = 200 } = answer({
          method: "GET",
          url: "/ws",
          key: undefined,
          body: ""
        })
        socket.end(`HTTP/1.1 ${status} Stub\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`)
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(
          Effect.succeed({ url: `http://127.0.0.1:${port}`, seen, asked: Effect.promise(() => first), close })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  )
