import { Agent, request } from "node:http"
import { Effect } from "effect"

/** A request as it goes over the wire: nothing is added but what HTTP itself needs. */
export interface RawRequest {
  readonly method: string
  /** The request target, as it is. */
  readonly path: string
  /** Headers, `host` among them when it is not to be the server's own. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
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
      return ({ body, headers, method, path }: RawRequest): Effect.Effect<RawAnswer, Error> =>
        Effect.async((resume) => {
          const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) }
          const outgoing = request(
            { agent, hostname, port, method, path, headers: { ...length, ...headers } },
            (incoming) => {
              const chunks: Array<Buffer> = []
              incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
              incoming.on("end", () =>
                resume(
                  Effect.succeed({
                    status: incoming.statusCode ?? 0,
                    headers: incoming.headers,
                    text: Buffer.concat(chunks).toString("utf8")
                  })
                )
              )
            }
          )
          outgoing.on("error", (error) => resume(Effect.fail(error)))
          outgoing.end(body)
        })
    }
  )
