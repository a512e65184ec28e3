import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { message } from "../../support/relay/Drafts.ts"
import type { TestRelay } from "../../support/relay/TestRelay.ts"
import { alice, bridged, bridgeWorld, channel, eventually, type Routes } from "../relay/Bridged.ts"

const listens = (here: Routes) => eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)

/** After trouble: the bridge has one socket, has not asked for more than it needed, and has all messages. */
const isWell = (there: TestRelay, here: Routes, sockets: number) =>
  Effect.gen(function* () {
    yield* there.waitFor(({ openSockets, sockets: all }) => openSockets === 1 && all === sockets)
    yield* listens(here)
    assert.strictEqual(there.journal.sockets, sockets, "sockets that were ever opened")
    yield* there.publish(message({ by: alice, channel, content: `after socket ${sockets}` }))
    const all = there.eventsIn(channel).map(({ id }) => `msg_relay_${id}`)
    const chat: ReadonlyArray<{ readonly id: string }> = yield* eventually(
      here.squad,
      ({ length }) => length >= all.length
    )
    assert.deepStrictEqual(chat.map(({ id }) => id).sort(), all.sort())
  })

const requestsOf = (there: TestRelay) => there.journal.requests.map(({ id }) => id)

describe.concurrent("A bridge whose connection breaks", () => {
  it.scopedLive("comes back with one socket after a cut, and after a restart of the relay", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      yield* isWell(there, here, 1)
      there.dropSockets()
      yield* there.publish(message({ by: alice, channel, content: "while nobody listened" }))
      yield* isWell(there, here, 2)
      there.closeSockets(1012, "service restart")
      yield* isWell(there, here, 3)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("comes back to a relay that was away", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      yield* there.stop()
      yield* eventually(here.health, ({ runtime }) => runtime?.transport.state === "disconnected")
      yield* there.start()
      yield* isWell(there, here, 2)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  for (const text of ["error: database error", "restricted: not a channel member"])
    it.scopedLive(`keeps its socket when a subscription ends with "${text}"`, () =>
      Effect.gen(function* () {
        const { here, there } = yield* bridged()
        there.closeSubscriptions(text)
        yield* there.waitFor(({ requests }) => requests.length === 2)
        assert.strictEqual(new Set(requestsOf(there)).size, 2, "never the same name twice")
        yield* isWell(there, here, 1)
      }).pipe(Effect.provide(bridgeWorld()))
    )

  it.scopedLive("waits for as long as the relay asks for before it subscribes again", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const closedAt = performance.now()
      there.closeSubscriptions("rate-limited: quota exceeded; retry in 3s")
      yield* there.waitFor(({ requests }) => requests.length === 2)
      assert.isAtLeast(performance.now() - closedAt, 3_000)
      yield* isWell(there, here, 1)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("opens another socket when a subscription ends as it is no longer authenticated", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.closeSubscriptions("auth-required: not authenticated")
      yield* isWell(there, here, 2)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("drops the socket that refused its signature, and does not storm the relay", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.refuseAuth("auth-required: verification failed")
      const cutAt = performance.now()
      there.dropSockets()
      yield* there.waitFor(({ auths }) => auths.filter(({ accepted }) => !accepted).length === 2)
      assert.isAtLeast(performance.now() - cutAt, 3_000, "one second, and then two")
      yield* there.waitFor(({ openSockets }) => openSockets === 0)
      there.refuseAuth()
      yield* here.test
      yield* isWell(there, here, 4)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("lets a relay go that never asks who it is", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged({ authTimeoutMs: 200 })
      there.silentAuth()
      there.dropSockets()
      yield* there.waitFor(({ openSockets, sockets }) => sockets === 2 && openSockets === 0)
      there.silentAuth(false)
      yield* isWell(there, here, 3)
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
