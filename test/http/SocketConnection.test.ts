import { EventEmitter } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Fiber, Layer, Schema, TestClock } from "effect"
import type { WebSocket } from "ws"
import { type Frame, Hub, type Listener } from "../../src/http/Hub.ts"
import { ServerAddress } from "../../src/http/Server.ts"
import { serve } from "../../src/http/SocketConnection.ts"
import { clientMessages } from "../../src/http/SocketMessages.ts"
import { actorOf } from "../../src/kernel/Actor.ts"
import { clientMessage, follow, type Pages } from "../../src/storage/events/Subscription.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { recordChange } from "../support/Journal.ts"
import { listen } from "../support/Socket.ts"
import { streamServer } from "../support/Stream.ts"
import { storageInMemory } from "../support/TestStorage.ts"

const frames = (...sequences: ReadonlyArray<number>): ReadonlyArray<Frame> =>
  sequences.map((sequence) => ({
    sequence,
    topic: undefined,
    audience: undefined,
    data: Buffer.from(JSON.stringify({ sequence }))
  }))

/** A hub that is behind: its pages hold five messages, of which it has told its listeners three. */
const laggingHub = () => {
  const listeners = new Set<Listener>()
  const hub = Hub.of({
    cursor: () => 3,
    attach: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    listenerCount: () => listeners.size,
    page: (after) => Effect.succeed({ frames: frames(...Arr.range(after + 1, 5)), cursor: 5 }),
    onDelivery: () => () => {}
  })
  return { hub, deliver: (told: ReadonlyArray<Frame>) => listeners.forEach((one) => one.deliver(told)) }
}

describe("a connection that has read more than the hub has told", () => {
  it.scopedLive("is not told it again", () => {
    const { deliver, hub } = laggingHub()
    return Effect.gen(function* () {
      const { write } = yield* Storage
      yield* write(Effect.forEach(Arr.range(1, 5), (number) => recordChange("a", { number })))
      const { port } = yield* ServerAddress
      const listener = yield* listen(`http://127.0.0.1:${port}`, { path: "/ws?afterSequence=2" })
      const replayed = yield* Effect.forEach(Arr.range(3, 5), () => listener.next)
      yield* Effect.zipRight(
        listener.send({ type: "ping" }),
        listener.until(({ type }) => type === "pong")
      )
      yield* Effect.sync(() => deliver(frames(4, 5)))
      yield* Effect.sync(() => deliver(frames(6)))
      const heard = [...replayed, yield* listener.next].map(({ sequence }) => sequence)
      assert.deepStrictEqual(heard, [3, 4, 5, 6])
    }).pipe(Effect.provide(streamServer(Layer.succeed(Hub, hub))))
  })
})

/** A socket of which the system takes so many messages and no more, as that of a client that has stopped to read. */
const stuckSocket = (takes: number) => {
  const sent: Array<string> = []
  const closed: Array<number> = []
  const emitter = new EventEmitter()
  const socket = Object.assign(emitter, {
    bufferedAmount: 0,
    send: (data: string, _: object, taken?: () => void) => {
      sent.push(String(data))
      if (sent.length <= takes) taken?.()
    },
    close: (code: number) => closed.push(code)
  })
  // `serve` asks a socket for no more than this.
  return {
    socket: socket as unknown as WebSocket,
    sent,
    closed,
    says: (text: string) => emitter.emit("message", text)
  }
}

describe("a client that follows more than it reads", () => {
  it.scoped(
    "is handed no more than it takes, whatever there is, and is closed when it takes nothing for long",
    () =>
      Effect.gen(function* () {
        const storage = yield* Storage
        let read = 0
        const endless: Pages = {
          _tag: "Pages",
          streams: ["endless"],
          read: Effect.sync(() => {
            read += 1
            return {
              messages: Arr.makeBy(64, (index) => ({ type: "agent:event", page: read, index })),
              next: endless
            }
          })
        }
        const messages = clientMessages([
          {
            messages: [
              clientMessage("endless", Schema.Struct({}), () =>
                Effect.succeed(follow("endless", endless, { type: "followed" }))
              )
            ]
          }
        ])
        const { closed, says, sent, socket } = stuckSocket(100)
        const actor = actorOf({ name: "reader", role: "admin", authMethod: "api-key" })
        const { hub } = laggingHub()
        const fiber = yield* Effect.fork(
          serve(socket, { actor, hub, storage, messages, resumeAfter: undefined })
        )
        yield* Effect.yieldNow()
        yield* Effect.sync(() => says(JSON.stringify({ type: "endless" })))
        yield* Effect.repeat(
          Effect.promise(() => new Promise(setImmediate)),
          { until: () => sent.length > 100 }
        )
        yield* TestClock.adjust("14 seconds")
        assert.deepStrictEqual([sent.length, read, closed], [101, 2, []])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual([sent.length, read, closed], [101, 2, [1013]])
        yield* Fiber.interrupt(fiber)
      }).pipe(Effect.provide(storageInMemory))
  )
})
