import { createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { identityOf } from "../../../src/conversations/wire/Identity.ts"
import { layer as relayClient } from "../../../src/conversations/wire/NostrRelayClient.ts"
import { type Connection, RelayClient } from "../../../src/conversations/wire/RelayClient.ts"
import { Circuits } from "../../../src/kernel/outbound/Circuits.ts"
import { Outbound } from "../../../src/kernel/outbound/Outbound.ts"
import { virtualClock } from "../../support/VirtualClock.ts"
import { bridge, channel } from "../relay/Bridged.ts"

const client = relayClient.pipe(Layer.provide(Outbound.layer()), Layer.provide(Circuits.layer))

/** What a relay does with a connection when its first bytes are there. */
type Manner = (socket: Socket) => void

/** Writes a text again and again, a piece at a time, and never comes to an end. */
const drip =
  (head: string, drop: string): Manner =>
  (socket) => {
    socket.write(head)
    const pump = setInterval(() => socket.write(drop), 20)
    socket.on("close", () => clearInterval(pump))
  }

/** A port that behaves in a manner, and hears when somebody has come and when they have gone. */
const portThat = (manner: Manner) =>
  Effect.gen(function* () {
    const came = yield* Deferred.make<void>()
    const gone = yield* Deferred.make<void>()
    const server = createServer((socket) => {
      socket.on("error", () => undefined)
      socket.on("close", () => Deferred.unsafeDone(gone, Effect.void))
      socket.once("data", () => {
        manner(socket)
        Deferred.unsafeDone(came, Effect.void)
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () => Effect.sync(() => server.close())
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const identity = yield* identityOf(Redacted.make(bridge.hex))
    const connection: Connection = {
      http: `http://127.0.0.1:${port}`,
      webSocket: `ws://127.0.0.1:${port}`,
      allow: { loopback: true, privateNetwork: false },
      identity,
      attestation: undefined
    }
    return { came: Deferred.await(came), gone: Deferred.await(gone), connection }
  })

const manners: ReadonlyArray<readonly [what: string, manner: Manner]> = [
  ["is silent", () => undefined],
  ["stops in the middle of its head", (socket) => socket.write("HTTP/1.1 200 OK\r\nX-Half: ")],
  [
    "stops in the middle of its answer",
    (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"accepted": ')
  ],
  ["drips its head", drip("HTTP/1.1 200 OK\r\n", "X-Drop: 1\r\n")],
  ["drips its answer", drip("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n", " ")],
  ["drips chunks", drip("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n")]
]

describe.concurrent("A relay that lets its peers wait", () => {
  for (const [what, manner] of manners) {
    it.scopedLive(`and ${what} is cut after ten seconds, also by who must not be interrupted`, () => {
      const clock = virtualClock(Date.now())
      return clock.live(
        Effect.gen(function* () {
          const { submit } = yield* RelayClient
          const { came, connection, gone } = yield* portThat(manner)
          const event = connection.identity.sign({
            kind: 9,
            created_at: 1,
            tags: [["h", channel]],
            content: "hello"
          })
          const sending = yield* Effect.fork(Effect.uninterruptible(submit(connection, event)))
          yield* came
          yield* clock.pass("9 seconds")
          assert.isTrue((yield* Fiber.poll(sending))._tag === "None", "it has its ten seconds")
          yield* clock.pass("1 second")
          assert.deepStrictEqual(yield* Fiber.join(sending), { _tag: "Unknown", reason: "relay_timeout" })
          yield* gone
        }).pipe(Effect.provide(client))
      )
    })

    it.scopedLive(`and ${what} does not keep a handshake open`, () => {
      const clock = virtualClock(Date.now())
      return clock.live(
        Effect.gen(function* () {
          const { open } = yield* RelayClient
          const { came, connection, gone } = yield* portThat(
            what === "drips its answer"
              ? drip("HTTP/1.1 101 Switching Protocols\r\n", "X-Drop: 1\r\n")
              : manner
          )
          const opening = yield* Effect.fork(Effect.flip(Effect.scoped(open(connection))))
          yield* came
          yield* clock.pass("10 seconds")
          const { reason } = yield* Fiber.join(opening)
          assert.include(["relay_timeout", "relay_unreachable", "relay_error"], reason)
          yield* gone
        }).pipe(Effect.provide(client))
      )
    })
  }

  it.scopedLive("goes when the one who waits for it goes", () =>
    Effect.gen(function* () {
      const { query } = yield* RelayClient
      const { came, connection, gone } = yield* portThat(() => undefined)
      const asking = yield* Effect.fork(query(connection, { kinds: [9], limit: 1 }))
      yield* came
      yield* Fiber.interrupt(asking)
      yield* gone
    }).pipe(Effect.provide(client))
  )
})
