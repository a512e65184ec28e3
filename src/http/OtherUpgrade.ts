import type { IncomingMessage, Server } from "node:http"
import type { Duplex } from "node:stream"

/** Whether a request asks for the one protocol that this server changes to. */
export const isWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.trim().toLowerCase() === "websocket"

const hopByHop = /^(?:upgrade|http2-settings|connection)$/i

/**
 * Answers a request that asks for another protocol, `h2c` for one, as if it had not asked (RFC 9110, 7.8). Node has given
 * its socket away by then: the request goes back into it, without the wish, and the server takes the connection anew.
 * It ends after this answer, so that nobody can send one connection in circles.
 */
export const ignoreUpgrade = (
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer
): void => {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`, "Connection: close"]
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const [name, value] = request.rawHeaders.slice(index, index + 2)
    if (name !== undefined && !hopByHop.test(name)) lines.push(`${name}: ${value}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]))
  server.emit("connection", socket)
}
