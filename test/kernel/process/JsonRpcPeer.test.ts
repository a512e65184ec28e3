import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Queue, Stream } from "effect"
import { supervise } from "../../../src/kernel/process/Child.ts"
import { makePeer, type PeerHandlers, unknownMethod } from "../../../src/kernel/process/JsonRpcPeer.ts"
import { script } from "../../support/Child.ts"

/** Why a request has no answer. */
const refusal = <A, E>(asked: Effect.Effect<A, E>): Effect.Effect<E, void> =>
  Effect.flip(Effect.asVoid(asked))

/** The other side, by hand: what it hears, and what it says. */
const connect = (handlers: Partial<PeerHandlers> = {}) =>
  Effect.gen(function* () {
    const input = yield* Queue.unbounded<Uint8Array | null>()
    const heard = yield* Queue.unbounded<unknown>()
    const open = { now: true }
    const peer = yield* makePeer(
      {
        stdout: Stream.fromQueue(input).pipe(Stream.takeWhile((part) => part !== null)),
        write: (line) =>
          Effect.as(open.now ? Queue.offer(heard, JSON.parse(String(line))) : Effect.void, open.now)
      },
      {
        request: (method) => Effect.fail(unknownMethod(method)),
        notification: () => Effect.void,
        ...handlers
      }
    )
    const sayRaw = (text: string) => Queue.offer(input, Buffer.from(text))
    return {
      peer,
      heard: Queue.take(heard),
      sayRaw,
      say: (message: unknown) => sayRaw(`${JSON.stringify(message)}\n`),
      end: Queue.offer(input, null),
      close: Effect.sync(() => {
        open.now = false
      })
    }
  })

describe("a JSON-RPC peer", () => {
  it.scoped("gets its answers in any order, with or without the member jsonrpc", () =>
    Effect.gen(function* () {
      const { heard, peer, say } = yield* connect()
      const first = yield* Effect.fork(peer.request("a", { x: 1 }))
      const second = yield* Effect.fork(refusal(peer.request("b")))
      assert.deepStrictEqual(yield* heard, { jsonrpc: "2.0", id: 1, method: "a", params: { x: 1 } })
      assert.deepStrictEqual(yield* heard, { jsonrpc: "2.0", id: 2, method: "b" })
      yield* say({ id: 2, error: { code: -1, message: "no" } })
      yield* say({ jsonrpc: "2.0", id: 1, result: null })
      assert.isNull(yield* Fiber.join(first))
      const refused = yield* Fiber.join(second)
      assert.deepInclude(refused, { _tag: "RequestRefused", method: "b", code: -1 })
    })
  )

  it.scoped("answers requests, also with nothing, a refusal, or a fault of its own", () =>
    Effect.gen(function* () {
      const { heard, say } = yield* connect({
        request: (method) =>
          method === "fine"
            ? Effect.void
            : method === "broken"
              ? Effect.die("x")
              : Effect.fail(unknownMethod(method))
      })
      yield* say({ id: "s", method: "fine" })
      assert.deepStrictEqual(yield* heard, { jsonrpc: "2.0", id: "s", result: null })
      yield* say({ id: 2, method: "broken" })
      assert.deepInclude(yield* heard, { id: 2, error: { code: -32603, message: "It failed" } })
      yield* say({ id: 3, method: "what" })
      assert.deepInclude(yield* heard, { id: 3, error: { code: -32601, message: "There is no method what" } })
    })
  )

  it.scoped("hears notifications in order, before the answer that follows them", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const { heard, peer, sayRaw } = yield* connect({
        notification: (method) =>
          Effect.zipRight(
            Effect.yieldNow(),
            Effect.sync(() => order.push(method))
          )
      })
      const asked = yield* Effect.fork(peer.request("prompt"))
      yield* heard
      yield* sayRaw('{"method":"one"}\n{"method":"two"}\n{"id":1,"result":"end"}\n')
      order.push(String(yield* Fiber.join(asked)))
      assert.deepStrictEqual(order, ["one", "two", "end"])
    })
  )

  it.scoped("survives what is no message, and an answer that nobody waits for", () =>
    Effect.gen(function* () {
      const unreadable: Array<string> = []
      const { heard, peer, say, sayRaw } = yield* connect({
        unreadable: (line) => Effect.sync(() => unreadable.push(line))
      })
      yield* sayRaw('{"id":\n\n[]\n"x"\n{"id":{},"method":"m"}\n\0\n{}\n')
      yield* say({ id: 99, result: 1 })
      const asked = yield* Effect.fork(peer.request("a"))
      yield* heard
      yield* say({ id: 1, result: 2 })
      assert.strictEqual(yield* Fiber.join(asked), 2)
      assert.deepStrictEqual(unreadable, ['{"id":', "[]", '"x"', '{"id":{},"method":"m"}', "\0", "{}"])
    })
  )

  it.scopedLive("fails what waits when the other side ends, when time is up, and when too much waits", () =>
    Effect.gen(function* () {
      const { close, end, peer } = yield* connect()
      const late = yield* refusal(peer.request("late", undefined, "5 millis"))
      assert.deepInclude(late, { reason: "timed-out" })
      const all = yield* Effect.forEach(Array.from({ length: 256 }), () =>
        Effect.fork(refusal(peer.request("a")))
      )
      yield* Effect.yieldNow()
      assert.deepInclude(yield* refusal(peer.request("b")), { reason: "too-many" })
      yield* end
      for (const one of all) assert.deepInclude(yield* Fiber.join(one), { reason: "ended" })
      yield* peer.ended
      assert.deepInclude(yield* refusal(peer.request("c")), { reason: "ended" })
      yield* close
      assert.isFalse(yield* peer.notify("d"))
    })
  )

  it.scoped("works on so many requests at once and refuses more", () =>
    Effect.gen(function* () {
      const go = yield* Deferred.make<void>()
      const { heard, say } = yield* connect({ request: () => Deferred.await(go) })
      for (let id = 1; id <= 65; id++) yield* say({ id, method: "slow" })
      assert.deepInclude(yield* heard, {
        id: 65,
        error: { code: -32000, message: "Too many requests at once" }
      })
      yield* Deferred.succeed(go, undefined)
      assert.deepInclude(yield* heard, { id: 1, result: null })
    })
  )

  it.scopedLive("speaks with a program, and fails what waits when that is killed", () =>
    Effect.gen(function* () {
      const program = yield* supervise(
        script(`read line; echo '{"id":1,"result":"first"}'; read line; kill -9 $$`)
      )
      const peer = yield* makePeer(program, {
        request: (method) => Effect.fail(unknownMethod(method)),
        notification: () => Effect.void
      })
      assert.strictEqual(yield* peer.request("a"), "first")
      assert.deepInclude(yield* refusal(peer.request("b")), { reason: "ended" })
    })
  )
})
