import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Lookup, type ResolvedAddress } from "../../../src/kernel/outbound/Lookup.ts"
import { message } from "../../support/relay/Drafts.ts"
import { relay } from "../../support/relay/Relay.ts"
import { adapterBody, alice, bridgeWorld, channel, eventually, routes } from "../relay/Bridged.ts"

const here: ResolvedAddress = { address: "127.0.0.1", family: 4 }
const inside: ResolvedAddress = { address: "10.0.0.7", family: 4 }
const metadata: ResolvedAddress = { address: "169.254.169.254", family: 4 }

/** A name server that a test turns: the system's resolver knows no such name, so only what it says can be reached. */
const nameServer = () => {
  const names = { answer: [here] as ReadonlyArray<ResolvedAddress>, asked: 0 }
  const lookup = Layer.succeed(Lookup, () =>
    Effect.sync(() => {
      names.asked += 1
      return names.answer
    })
  )
  return { names, lookup }
}

const name = "relay.test"

const namedRelay = Effect.gen(function* () {
  const there = yield* relay()
  yield* there.set({ community: `${name}:${there.port}` })
  return { there, url: `http://${name}:${there.port}` }
})

describe("A relay whose name leads elsewhere", () => {
  it.scopedLive("is reached over HTTP and socket at the address that was checked", () => {
    const { lookup, names } = nameServer()
    return Effect.gen(function* () {
      const { there, url } = yield* namedRelay
      const bridge = yield* routes
      yield* bridge.put(adapterBody(url))
      yield* bridge.map()
      yield* eventually(bridge.health, ({ canReceiveReplies }) => canReceiveReplies)
      yield* there.publish(message({ by: alice, channel, content: "by the checked address" }))
      yield* eventually(bridge.squad, (all) => all.length === 1)
      // One resolution for each connection and none behind it; one that is on its way is not there yet.
      const connections = Effect.sync(() => there.journal.http.length + there.journal.upgrades.length)
      yield* eventually(connections, (count) => count === names.asked)
      assert.isTrue(there.journal.http.every(({ headers }) => headers["host"] === `${name}:${there.port}`))
    }).pipe(Effect.provide(Layer.provide(bridgeWorld(), lookup)))
  })

  for (const [what, answer] of [
    ["a private address", [inside]],
    ["a metadata service", [metadata]],
    ["a private address among others", [here, inside]]
  ] as const)
    it.scopedLive(`is left alone from the moment on at which it leads to ${what}`, () => {
      const { lookup, names } = nameServer()
      return Effect.gen(function* () {
        const { there, url } = yield* namedRelay
        const bridge = yield* routes
        yield* bridge.put(adapterBody(url))
        yield* bridge.map()
        yield* eventually(bridge.health, ({ canReceiveReplies }) => canReceiveReplies)
        yield* there.waitFor(({ http }) =>
          http.some(({ body, status }) => body.includes('"until"') && status === 200)
        )
        const before = [there.journal.http.length, there.journal.upgrades.length]

        names.answer = answer
        // The probe of a moment ago still speaks for the relay, so the socket is the first to meet the new address.
        there.dropSockets()
        const { runtime } = yield* eventually(
          bridge.health,
          (health) => health.runtime?.transport.reasonCode === "network_policy_blocked"
        )
        assert.notStrictEqual(runtime?.transport.state, "authenticated")
        const tested = yield* bridge.test
        assert.strictEqual(tested.reasonCode, "network_policy_blocked")
        const sent = yield* bridge.send("msg_blocked", "goes nowhere")
        assert.strictEqual(sent.body.event, null)
        assert.deepStrictEqual([there.journal.http.length, there.journal.upgrades.length], before)

        names.answer = [here]
        yield* bridge.test
        yield* eventually(bridge.health, ({ canReceiveReplies }) => canReceiveReplies)
      }).pipe(Effect.provide(Layer.provide(bridgeWorld(), lookup)))
    })
})
