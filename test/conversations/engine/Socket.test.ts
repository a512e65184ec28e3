import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { finalizeEvent } from "nostr-tools"
import { Relay, useWebSocketImplementation } from "nostr-tools/relay"
import { WebSocket } from "ws"
import { authentication, deletion5, message, ownerTag } from "../../support/relay/Drafts.ts"
import { identities, seconds } from "../../support/relay/Keys.ts"
import { relay } from "../../support/relay/Relay.ts"
import { connect, knock, subscribe } from "../../support/relay/WireClient.ts"

const { agent, alice, bob, bridge, owner } = identities
const channel = "7b1f0f6e-6f0a-4d55-9d0a-000000000001"
const other = "7b1f0f6e-6f0a-4d55-9d0a-000000000002"
const inChannel = { kinds: [9, 40003, 9005, 5], "#h": [channel] }

describe("the relay of the tests, on its sockets", () => {
  it.scopedLive("serves the client of nostr-tools", () =>
    Effect.gen(function* () {
      const running = yield* relay()
      useWebSocketImplementation(WebSocket)
      const client = yield* Effect.promise(() => Relay.connect(running.wsUrl))
      yield* running.waitFor(({ openSockets }) => openSockets === 1)
      yield* Effect.promise(() => client.auth(async (draft) => finalizeEvent(draft, alice.secret)))
      const said = message({ by: alice, channel, content: "Good morning" })
      const heard = new Promise((resolve) => client.subscribe([inChannel], { onevent: resolve }))
      yield* Effect.promise(() => client.publish({ ...said }))
      assert.deepInclude(yield* Effect.promise(() => heard), { id: said.id, content: "Good morning" })
      assert.deepStrictEqual(running.eventsIn(channel), [said])
      client.close()
    })
  )

  it.scopedLive("asks who is there, at once, and takes one answer", () =>
    Effect.gen(function* () {
      const running = yield* relay()
      const socket = yield* knock(running)
      const [verb, challenge] = yield* socket.next
      assert.strictEqual(verb, "AUTH")
      assert.match(challenge, /^[0-9a-f]{64}$/)
      yield* socket.send(["REQ", "early", inChannel])
      assert.deepStrictEqual(yield* socket.next, ["NOTICE", "auth-required: not authenticated"])
      assert.deepStrictEqual(yield* socket.next, ["CLOSED", "early", "auth-required: not authenticated"])
      const good = authentication({ by: bridge, challenge, relay: `${running.wsUrl}/` })
      yield* socket.send(["AUTH", good])
      assert.deepStrictEqual(yield* socket.next, ["OK", good.id, true, ""])
      yield* socket.send(["AUTH", good])
      assert.deepStrictEqual(yield* socket.next, [
        "OK",
        good.id,
        false,
        "auth-required: already authenticated"
      ])
      assert.deepStrictEqual(
        running.journal.auths.map(({ accepted }) => accepted),
        [true, false]
      )
    })
  )

  it.scopedLive("remembers one wrong answer for the rest of the connection", () =>
    Effect.gen(function* () {
      const running = yield* relay({ authTimeoutMs: 150 })
      for (const wrong of [
        { challenge: "0".repeat(64) },
        { relay: "ws://relay.example" },
        { at: seconds() - 70 },
        { at: seconds() + 70 },
        { tags: [["relay", running.wsUrl]] }
      ]) {
        const socket = yield* knock(running)
        const [, challenge] = yield* socket.next
        const bad = authentication({ by: bridge, challenge, relay: running.wsUrl, ...wrong })
        yield* socket.send(["AUTH", bad])
        assert.deepStrictEqual(yield* socket.next, [
          "OK",
          bad.id,
          false,
          "auth-required: verification failed"
        ])
        const good = authentication({ by: bridge, challenge, relay: running.wsUrl })
        yield* socket.send(["AUTH", good])
        const late = "auth-required: authentication already failed"
        assert.deepStrictEqual(yield* socket.next, ["OK", good.id, false, late])
        assert.strictEqual((yield* socket.closed).code, 1008)
      }
    })
  )

  it.scopedLive("leaves no gap between what is stored and what is live", () =>
    Effect.gen(function* () {
      const running = yield* relay({ lookupMs: 100 })
      const socket = yield* connect(running, bridge)
      const old = message({ by: alice, channel, content: "Stored" })
      yield* running.seed([old])
      yield* socket.send(["REQ", "s", inChannel])
      yield* running.waitFor(({ requests }) => requests.length === 1)
      // The stored events have been read and are not sent yet: what comes in now is in neither half.
      const fresh = message({ by: bob, channel, content: "In between" })
      yield* running.publish(fresh)
      assert.deepStrictEqual(yield* socket.next, ["EVENT", "s", fresh])
      assert.deepStrictEqual(yield* socket.next, ["EVENT", "s", old])
      assert.deepStrictEqual(yield* socket.next, ["EOSE", "s"])
    })
  )

  it.scopedLive("passes live events on to those alone whose filters name that one channel", () =>
    Effect.gen(function* () {
      const running = yield* relay()
      const socket = yield* connect(running, bridge)
      const { id: one } = yield* subscribe(socket, inChannel)
      yield* subscribe(socket, { kinds: [9], "#h": [channel, other] })
      yield* subscribe(socket, { kinds: [9], "#h": [other] })
      yield* subscribe(socket, { kinds: [9] })
      const said = message({ by: alice, channel, content: "Only here" })
      yield* running.publish(said)
      assert.deepStrictEqual(yield* socket.next, ["EVENT", one, said])
      assert.lengthOf((yield* subscribe(socket, { kinds: [9] })).events, 1)
      assert.isEmpty(yield* socket.waiting)
    })
  )

  it.scopedLive("delivers a deletion without a channel through the channel of its target", () =>
    Effect.gen(function* () {
      const running = yield* relay()
      const socket = yield* connect(running, bridge)
      const said = message({ by: alice, channel, content: "Forget it" })
      yield* running.publish(said)
      const { id } = yield* subscribe(socket, { kinds: [5, 9005], "#h": [channel] })
      const gone = deletion5({ by: alice, target: said })
      assert.isUndefined(gone.tags.find(([name]) => name === "h"))
      yield* running.publish(gone)
      assert.deepStrictEqual(yield* socket.next, ["EVENT", id, gone])
      assert.deepStrictEqual((yield* subscribe(socket, inChannel)).events, [gone])
      const again = yield* running.publish(said)
      assert.deepStrictEqual(again, { accepted: true, message: "duplicate: the event already exists" })
    })
  )

  it.scopedLive(
    "shows a closed channel to its members, and takes it away when they are members no more",
    () =>
      Effect.gen(function* () {
        const mine = { [channel]: { members: [bridge.publicKey, alice.publicKey] } }
        const running = yield* relay({ channels: { ...mine, [other]: { members: [alice.publicKey] } } })
        const socket = yield* connect(running, bridge)
        const refused = yield* subscribe(socket, { kinds: [9], "#h": [other] })
        assert.strictEqual(refused.closed, "restricted: not a channel member")
        const { closed, id } = yield* subscribe(socket, inChannel)
        assert.isUndefined(closed)
        const probe = { kinds: [39000], "#d": [channel, other] }
        const { events } = yield* subscribe(socket, probe)
        assert.deepStrictEqual(
          events.map(({ pubkey, tags }) => [pubkey, tags[0]]),
          [[running.self, ["d", channel]]]
        )
        yield* running.set({ channels: { [channel]: { members: [alice.publicKey] } } })
        assert.deepStrictEqual(yield* socket.next, ["CLOSED", id, "restricted: not a channel member"])
      })
  )

  it.scopedLive("lets an agent in through its owner, and nobody else", () =>
    Effect.gen(function* () {
      const running = yield* relay({ members: [owner.publicKey] })
      const vouched = ownerTag({ owner, agent, conditions: `created_at>${seconds() - 600}` })
      assert.isTrue((yield* connect(running, agent, [vouched])).accepted)
      for (const tags of [
        [],
        [vouched, vouched],
        [ownerTag({ owner, agent, conditions: "created_at<1713957000" })],
        [ownerTag({ owner: alice, agent })],
        [ownerTag({ owner, agent: alice })]
      ]) {
        const { accepted, reason } = yield* connect(running, agent, tags)
        assert.deepStrictEqual([accepted, reason], [false, "restricted: not a relay member"])
      }
    })
  )

  it.scopedLive(
    "counts frames over all connections of a key, and hangs up on a frame that is too large",
    () =>
      Effect.gen(function* () {
        let now = yield* Clock.currentTimeMillis
        const running = yield* relay({ budgets: { framesPer5s: 2 }, now: () => now, maxFrame: 4_096 })
        const first = yield* connect(running, bridge)
        const second = yield* connect(running, bridge)
        assert.isUndefined((yield* subscribe(first, inChannel)).closed)
        assert.isUndefined((yield* subscribe(second, inChannel)).closed)
        now += 2_000
        const { closed } = yield* subscribe(second, inChannel)
        assert.strictEqual(closed, "rate-limited: quota exceeded; retry in 3s")
        now += 3_000
        assert.isUndefined((yield* subscribe(second, inChannel)).closed)
        yield* second.send(`["REQ","${"x".repeat(4_096)}"]`)
        assert.deepStrictEqual(yield* second.next, ["NOTICE", "error: message too large"])
        assert.strictEqual((yield* second.closed).code, 1009)
      })
  )

  it.scopedLive("replaces a subscription of the same id, and can lose an id that was closed", () =>
    Effect.gen(function* () {
      const running = yield* relay()
      const socket = yield* connect(running, bridge)
      yield* socket.send(["REQ", "s", { kinds: [9], "#h": [other] }])
      assert.deepStrictEqual(yield* socket.next, ["EOSE", "s"])
      yield* socket.send(["REQ", "s", inChannel])
      assert.deepStrictEqual(yield* socket.next, ["EOSE", "s"])
      const said = message({ by: alice, channel, content: "Once" })
      yield* running.publish(said)
      assert.deepStrictEqual(yield* socket.next, ["EVENT", "s", said])
      yield* running.set({ losesReusedIds: true })
      yield* socket.send(["CLOSE", "s"])
      yield* socket.send(["REQ", "s", inChannel])
      assert.deepStrictEqual(yield* socket.until(([verb]) => verb === "EOSE"), ["EOSE", "s"])
      yield* running.publish(message({ by: alice, channel, content: "Unheard" }))
      yield* socket.send(["PING"])
      assert.strictEqual((yield* socket.next)[0], "NOTICE")
    })
  )

  it.scopedLive("pings, and hangs up on those who have not said who they are", () =>
    Effect.gen(function* () {
      const running = yield* relay({ pingMs: 20, authTimeoutMs: 150 })
      const known = yield* connect(running, bridge)
      const unknown = yield* knock(running)
      assert.strictEqual((yield* unknown.closed).code, 1008)
      assert.isUndefined((yield* subscribe(known, inChannel)).closed)
      // A client that reads no more answers no ping, and is given up.
      yield* known.pause
      yield* running.waitFor(({ openSockets }) => openSockets === 0)
    })
  )
})
