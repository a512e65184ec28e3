import type { ServerResponse } from "node:http"
import { Readable } from "node:stream"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Exit, Stream } from "effect"
import { type Admitted, everyAnswer } from "./Door.ts"
import type { Guard } from "./Guard.ts"
import { RequestScope } from "./RequestScope.ts"
import { perTurn } from "./Turn.ts"

/** How long a reader may take nothing of an answer that waits for it, in milliseconds. */
const stallLimit = 30_000

/** An answer, and the request that it is for. */
export interface Departure {
  readonly admitted: Admitted
  readonly answer: HttpServerResponse.HttpServerResponse
  /** Ends with the answer. */
  readonly scope?: RequestScope
}

/**
 * Writes answers. Those that are ready in one turn of the event loop leave one after the other: writing to a socket whose
 * reader sleeps wakes it, which takes as long as making a small answer, and who is awake is not woken again.
 */
export interface ResponseWriter {
  /** At the end of the turn, with all others. */
  readonly soon: (departure: Departure) => void
  /** At once: for who has several in hand. */
  readonly now: (departure: Departure) => void
}

/** A writer that keeps what a socket throws from ending the process. */
export const makeResponseWriter = (guard: Guard): ResponseWriter => {
  const now = guard(write, ({ admitted }) => admitted.response.socket)
  return { now, soon: perTurn((departures) => departures.forEach(now)) }
}

const write = ({ admitted, answer, scope = new RequestScope() }: Departure): void => {
  const { request, requestId, response } = admitted
  if (response.destroyed) return scope.end(Exit.void)
  const { body } = answer
  response.writeHead(answer.status, { ...everyAnswer(requestId), ...answer.headers })
  if (request.method === "HEAD") {
    response.end()
    return scope.end(Exit.void)
  }
  switch (body._tag) {
    case "Raw":
      response.end(typeof body.body === "string" || body.body instanceof Uint8Array ? body.body : undefined)
      cutStalled(response)
      return scope.end(Exit.void)
    case "Uint8Array":
      response.end(body.body)
      cutStalled(response)
      return scope.end(Exit.void)
    case "Stream":
      return pipe(response, body.stream, scope)
    default:
      response.end()
      return scope.end(Exit.void)
  }
}

/** Ends a connection whose reader stands still with the rest of an answer. */
const cutStalled = (response: ServerResponse): void => {
  if (response.writableLength > 0) response.setTimeout(stallLimit)
}

/** Streams with back-pressure; a failure after the headers cuts the connection, so that no one takes half for whole. */
const pipe = (
  response: ServerResponse,
  stream: Stream.Stream<Uint8Array, unknown>,
  scope: RequestScope
): void => {
  response.setTimeout(stallLimit)
  response.on("error", () => response.destroy())
  Readable.fromWeb(Stream.toReadableStream(stream) as Parameters<typeof Readable.fromWeb>[0])
    .on("error", () => response.destroy())
    .pipe(response)
    .on("close", () => scope.end(Exit.void))
}
