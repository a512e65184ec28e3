import type { Duplex } from "node:stream"
import type * as Refusal from "./Refusal.ts"

/** How long a socket lives after it was given its answer, in milliseconds: time for a sender to hear it. */
const linger = 1_000

/** Whether bytes that came begin a request for the head of an answer alone: a body after it would be taken for another one. */
export const asksForHead = (bytes: unknown): boolean =>
  bytes instanceof Uint8Array && Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "HEAD "

/**
 * Answers a connection on which no response object exists, and ends it. What the sender is still saying is read away,
 * because a reset would take the answer with it; whoever does not hang up then is cut off.
 */
export const answerAndEnd = (
  socket: Duplex,
  refusal: Refusal.Refusal,
  { headOnly = false }: { readonly headOnly?: boolean } = {}
): void => {
  const cut = setTimeout(() => socket.destroy(), linger)
  socket.once("close", () => clearTimeout(cut))
  socket.resume()
  socket.end(written(refusal, headOnly), () => {
    if (socket.readableEnded) socket.destroy()
    else socket.once("end", () => socket.destroy())
  })
}

const written = ({ body, status }: Refusal.Refusal, headOnly: boolean): string => {
  const text = JSON.stringify(body)
  return [
    `HTTP/1.1 ${status} ${reasonPhrases[status] ?? "Error"}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
    "",
    headOnly ? "" : text
  ].join("\r\n")
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
