import { Agent, request } from "node:http"
import { connect } from "node:net"
import { Effect } from "effect"

/** A request as it goes over the wire: nothing is added but what HTTP itself needs. */
export interface RawRequest {
  readonly method: string
  /** The request target, as it is. */
  readonly path: string
  /** Headers, `host` among them when it is not to be the server's own. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The address of this machine that it comes from, 127.0.0.2 for one. */
  readonly from?: string
  /** A body that is sent piece by piece, and whose length only the headers may name. */
  readonly chunks?: ReadonlyArray<string | Uint8Array>
  /** Leaves the request without an end. */
  readonly unfinished?: boolean
}

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
  /** The text: parsed when it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Sends requests to a server that `fetch` would not send: with any Host, any target, any body. */
export const rawSender = (baseUrl: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Agent({ keepAlive: true, maxSockets: 8 })),
      (agent) => Effect.sync(() => agent.destroy())
    ),
    (agent) => {
      const { hostname, port } = new URL(baseUrl)
      return ({
        body,
        chunks = [],
        from,
        headers,
        method,
        path,
        unfinished
      }: RawRequest): Effect.Effect<RawAnswer, Error> =>
        Effect.async((resume) => {
          const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) }
          const outgoing = request(
            {
              ...{ agent, hostname, port, method, path, headers: { ...length, ...headers } },
              ...(from === undefined ? {} : { localAddress: from })
            },
            (incoming) => {
              const received: Array<Buffer> = []
              incoming.on("data", (chunk: Buffer) => received.push(chunk))
              incoming.on("end", () => {
                const text = Buffer.concat(received).toString("utf8")
                const { headers, statusCode: status = 0 } = incoming
                resume(Effect.succeed({ status, headers, text, body: parse(text) }))
                if (unfinished === true) outgoing.destroy()
              })
            }
          )
          outgoing.on("error", (error) => resume(Effect.fail(error)))
          outgoing.flushHeaders()
          for (const chunk of chunks) outgoing.write(chunk)
          if (unfinished !== true) outgoing.end(body)
        })
    }
  )

/** Says something to a server, and gives all that it answers until it ends the connection. */
export const converse = (baseUrl: string, said: string): Effect.Effect<string> =>
  Effect.async((resume) => {
    const { hostname, port } = new URL(baseUrl)
    const socket = connect(Number(port), hostname)
    let heard = ""
    socket.on("connect", () => socket.write(said))
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString()
    })
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(heard)))
    return Effect.sync(() => socket.destroy())
  })
