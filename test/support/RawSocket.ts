import { connect, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

/** A TCP connection that says what it is told, and hears until the other side ends it. */
export interface RawSocket {
  readonly socket: Socket
  /** All that was heard so far. */
  readonly heard: () => string
  /** Waits until the other side has ended the connection, and gives all that was heard. */
  readonly ended: Effect.Effect<string>
}

/** Opens a connection and says something; it stays half open for as long as the other side lets it. */
export const say = (
  port: number,
  said: string | Uint8Array = ""
): Effect.Effect<RawSocket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<RawSocket>((resume) => {
      let heard = ""
      let over = false
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => {
        if (said.length > 0) socket.write(said)
        resume(
          Effect.succeed({
            socket,
            heard: () => heard,
            ended: Effect.async<string>((done) => {
              const end = () => done(Effect.succeed(heard))
              if (over) end()
              else socket.once("end", end).once("close", end)
            })
          })
        )
      })
      socket.on("data", (chunk: Buffer) => {
        heard += chunk.toString("latin1")
      })
      socket.on("end", () => {
        over = true
      })
      socket.on("close", () => {
        over = true
      })
      socket.on("error", () => {})
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )
