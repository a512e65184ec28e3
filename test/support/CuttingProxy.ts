import { connect, createServer, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

/**
 * Stands before a server on an address of its own and hands on whatever comes. Of each WebSocket it hands on so many bytes
 * of what the server says and then cuts it, wherever that is; the last number stands for all that follow.
 */
export const cuttingProxy = (
  baseUrl: string,
  limits: ReadonlyArray<number>
): Effect.Effect<{ readonly url: string; readonly cuts: () => number }, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly cuts: () => number; readonly close: () => void }>(
      (resume) => {
        const open = new Set<Socket>()
        let upgrades = 0
        let cuts = 0
        const server = createServer((client) => {
          const backend = connect(Number(new URL(baseUrl).port), "127.0.0.1")
          let left = Number.POSITIVE_INFINITY
          const end = () => {
            client.destroy()
            backend.destroy()
          }
          for (const socket of [client, backend]) {
            open.add(socket)
            socket.on("error", end)
            socket.on("close", end)
          }
          client.on("data", (bytes) => {
            if (/^upgrade: websocket/im.test(bytes.toString("latin1"))) {
              left = limits[Math.min(upgrades, limits.length - 1)] ?? left
              upgrades += 1
            }
            backend.write(bytes)
          })
          backend.on("data", (bytes) => {
            const part = bytes.subarray(0, left)
            left -= part.length
            if (part.length === bytes.length) return client.write(part)
            cuts += 1
            return client.write(part, end)
          })
        })
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const port = typeof address === "object" ? address?.port : undefined
          const close = () => {
            for (const socket of open) socket.destroy()
            server.close()
          }
          resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, cuts: () => cuts, close }))
        })
      }
    ),
    ({ close }) => Effect.sync(close)
  )
