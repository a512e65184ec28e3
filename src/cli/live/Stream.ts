import { Chunk, Effect, Option, Redacted, Schedule, Stream } from "effect"
import { WebSocket } from "ws"
import { causeOf, readEnvelope } from "../../client/Client.ts"
import type { Connection } from "../../client/Connection.ts"
import { type Failure, Misunderstood, Unreachable } from "../../client/Failure.ts"
import { redirected } from "../../client/RefuseRedirects.ts"
import { type LiveMessage, readMessage } from "./Message.ts"

/** How long the server has to open the stream, in milliseconds. */
const patience = 10_000

/** What a reader wants of the stream, and how far it has come, across its connections. */
export interface Reader {
  /** What a new connection says in its address. */
  readonly query: () => string
  /** What it asks for as soon as it is open. */
  readonly asks: () => ReadonlyArray<object>
  /** Notes a message, so that the next connection goes on after it. */
  readonly note: (message: LiveMessage) => void
}

/** Whoever reads what the board tells everybody. */
const boardReader = (): Reader => {
  let last: number | undefined
  return {
    query: () => (last === undefined ? "" : `?afterSequence=${last}`),
    asks: () => [],
    note: ({ sequence }) => {
      last = sequence ?? last
    }
  }
}

/** One connection to the live stream, from where the reader left off. It ends only by failing. */
const connect = (
  connection: Connection,
  reader: Reader,
  onOpen: () => void
): Stream.Stream<LiveMessage, Failure> =>
  Stream.async<LiveMessage, Failure>((emit) => {
    const { key, url } = connection
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws${reader.query()}`, {
      handshakeTimeout: patience,
      headers: key === undefined ? {} : { "x-api-key": Redacted.value(key) }
    })
    const fail = (failure: Failure) => emit(Effect.fail(Option.some(failure)))
    socket.on("open", () => {
      onOpen()
      for (const ask of reader.asks()) socket.send(JSON.stringify(ask))
    })
    socket.on("message", (data) => {
      const message = readMessage(String(data))
      reader.note(message)
      emit(Effect.succeed(Chunk.of(message)))
    })
    socket.on("close", () => fail(new Unreachable({ url, reason: "the connection broke" })))
    socket.on("error", (error) => fail(new Unreachable({ url, reason: causeOf(error) })))
    socket.on("unexpected-response", (_, response) => {
      const status = response.statusCode ?? 0
      const elsewhere = redirected(url, status, response.headers.location)
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("end", () => {
        const refused = readEnvelope(status, parsed(Buffer.concat(parts).toString()))
        fail(elsewhere ?? refused ?? new Misunderstood({ url, reason: `status ${status}` }))
        socket.terminate()
      })
    })
    return Effect.sync(() => socket.terminate())
  })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The pauses between attempts to reconnect: longer each time, up to half a minute. */
const patiently = Schedule.exponential("1 second").pipe(
  Schedule.union(Schedule.spaced("30 seconds")),
  Schedule.jittered
)

/**
 * The live messages that a reader wants, without one those of the board. A broken connection is made again and goes on
 * after the last message, so that nothing is missed and nothing comes twice; when the first connection can't be made,
 * the stream fails.
 */
export const messages = (
  connection: Connection,
  onBreak: (reason: string) => Effect.Effect<void>,
  makeReader: () => Reader = boardReader
): Stream.Stream<LiveMessage, Failure> =>
  Stream.suspend(() => {
    const reader = makeReader()
    let opened = false
    const onOpen = () => {
      opened = true
    }
    const isBreak = (failure: Failure): failure is Unreachable => opened && failure._tag === "Unreachable"
    return Stream.suspend(() => connect(connection, reader, onOpen)).pipe(
      Stream.tapError((failure) => (isBreak(failure) ? onBreak(failure.reason) : Effect.void)),
      Stream.retry(Schedule.whileInput(patiently, isBreak))
    )
  })
