import type { WebSocket } from "ws"

/** The words of the wire for a socket that has not authenticated. */
export const unauthenticated = "auth-required: not authenticated"

/** Closes a socket after a while if it still has not authenticated by then. */
export const closeWhen = (socket: WebSocket, ms: number, isDue: () => boolean): void => {
  const timer = setTimeout(() => {
    if (isDue()) socket.close(1008, unauthenticated)
  }, ms)
  socket.on("close", () => clearTimeout(timer))
}

/** Pings a socket, and cuts it when three pongs are missing: who answers no ping answers no close frame either. */
export const keepAlive = (socket: WebSocket, ms: number): void => {
  let missed = 0
  const timer = setInterval(() => {
    missed += 1
    if (missed > 3) return socket.terminate()
    socket.ping()
  }, ms)
  socket.on("pong", () => {
    missed = 0
  })
  socket.on("close", () => clearInterval(timer))
}

/** Waits until a socket has closed, and cuts it when that takes too long. */
export const gone = (socket: WebSocket, ms = 300): Promise<void> =>
  new Promise((resolve) => {
    if (socket.readyState === socket.CLOSED) return resolve()
    const timer = setTimeout(() => socket.terminate(), ms)
    socket.on("close", () => {
      clearTimeout(timer)
      resolve()
    })
  })
