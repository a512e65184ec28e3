import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Layer } from "effect"
import { type Frame, Hub, type Listener } from "../../src/http/Hub.ts"
import { ServerAddress } from "../../src/http/Server.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { recordChange } from "../support/Journal.ts"
import { listen } from "../support/Socket.ts"
import { streamServer } from "../support/Stream.ts"

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
