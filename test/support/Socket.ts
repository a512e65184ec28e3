import { Data, Effect, Queue, type Scope } from "effect"
import { WebSocket } from "ws"
import { keys } from "./World.ts"

/** A message of the stream, whatever its type. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
export type Message = any

/** A connection to the live stream. */
export interface Listener {
  /** The next message, in the order in which they came. */
  readonly next: Effect.Effect<Message>
  /** Passes messages over until one fits, and gives it. */
  readonly until: (fits: (message: Message) => boolean) => Effect.Effect<Message>
  /** All messages that have come and were not taken. */
  readonly waiting: Effect.Effect<ReadonlyArray<Message>>
  /** Sends a message: as it is when it is text or bytes, as JSON otherwise. */
  readonly send: (message: unknown) => Effect.Effect<void>
  /** Waits for the end of the connection. */
  readonly closed: Effect.Effect<{ readonly code: number; readonly reason: string }>
  /** Stops reading, so that what the server sends piles up; and goes on. */
  readonly pause: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
  /** Cuts the connection without a word. */
  readonly cut: Effect.Effect<void>
}

/** The upgrade was answered like a request. */
export class UpgradeRefused extends Data.TaggedError("UpgradeRefused")<{
  readonly status: number
  readonly body: Message
}> {}

export interface ListenOptions {
  /** The path with its query. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens a connection; it is cut when the scope closes. */
export const listen = (
  baseUrl: string,
  { headers = { "x-api-key": keys.agent }, path = "/ws" }: ListenOptions = {}
): Effect.Effect<Listener, UpgradeRefused, Scope.Scope> =>
  Effect.gen(function* () {
    const messages = yield* Queue.unbounded<Message>()
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => new WebSocket(`${baseUrl.replace("http", "ws")}${path}`, { headers })),
      (socket) => Effect.sync(() => socket.terminate())
    )
    socket.on("message", (data: Buffer) => messages.unsafeOffer(JSON.parse(data.toString())))
    const closed = yield* Effect.cached(
      Effect.async<{ readonly code: number; readonly reason: string }>((resume) => {
        socket.on("close", (code, reason) => resume(Effect.succeed({ code, reason: reason.toString() })))
      })
    )
    yield* Effect.forkScoped(closed)
    yield* Effect.async<void, UpgradeRefused>((resume) => {
      socket.on("error", () => {})
      socket.on("open", () => resume(Effect.void))
      socket.on("unexpected-response", (_, answer) => {
        const chunks: Array<Buffer> = []
        answer.on("data", (chunk: Buffer) => chunks.push(chunk))
        answer.on("end", () => {
          const body = JSON.parse(Buffer.concat(chunks).toString())
          resume(new UpgradeRefused({ status: answer.statusCode ?? 0, body }))
        })
      })
    })
    return {
      next: messages.take,
      until: (fits) => Effect.repeat(messages.take, { until: fits }),
      waiting: Effect.map(messages.takeAll, (all) => [...all]),
      send: (message) =>
        Effect.sync(() => {
          const raw = typeof message === "string" || Buffer.isBuffer(message)
          socket.send(raw ? message : JSON.stringify(message))
        }),
      closed,
      pause: Effect.sync(() => socket.pause()),
      resume: Effect.sync(() => socket.resume()),
      cut: Effect.sync(() => socket.terminate())
    }
  })
