import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { message } from "../../support/relay/Drafts.ts"
import { identities } from "../../support/relay/Keys.ts"
import { relay } from "../../support/relay/Relay.ts"
import { connect, get, knock, post, subscribe } from "../../support/relay/WireClient.ts"

const { alice, bob, bridge } = identities
const channel = "7b1f0f6e-6f0a-4d55-9d0a-000000000001"
const inChannel = { kinds: [9], "#h": [channel] }

/** Reads a body until it's as large as that. */
const readUpTo = async (url: string, most: number): Promise<number> => {
  const { body } = await fetch(url)
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > most) break
  }
  return size
}

describe("the faults of the relay of the tests", () => {
  it.scopedLive("befall requests, as many as were asked for", () =>
    Effect.gen(function* () {
      const running = yield* relay()
      const body = message({ by: alice, channel, content: "Did it arrive?" })
      const submit = post(running, alice, "/events", { body })
      const stored = () => running.eventsIn(channel).length
      const fails = <E>(effect: Effect.Effect<unknown, E>) => Effect.map(Effect.exit(effect), Exit.isFailure)

      running.faultNext("/events", { type: "cut", stored: false })
      assert.isTrue(yield* fails(submit))
      assert.strictEqual(stored(), 0)
      running.faultNext("/events", { type: "cut", stored: true })
      assert.isTrue(yield* fails(submit))
      assert.strictEqual(stored(), 1)
      running.faultNext("/events", { type: "truncate" })
      assert.isTrue(yield* fails(submit))
      running.faultNext("/events", { type: "hang" })
      assert.isTrue(yield* fails(Effect.timeout(submit, 100)))
      running.faultNext("/events", { type: "redirect", to: `${running.url}/elsewhere` })
      const moved = yield* submit
      assert.deepStrictEqual([moved.status, moved.headers.get("location")], [302, `${running.url}/elsewhere`])
      const headers = { "retry-after": "7" }
      running.faultNext("/events", { type: "status", status: 503, body: { error: "busy" }, headers }, 2)
      for (const _ of [1, 2]) assert.deepInclude(yield* submit, { status: 503, body: { error: "busy" } })
      running.faultNext("/events", { type: "slow", ms: 50 })
      assert.match((yield* submit).body.message, /^duplicate:/)
      const statuses = running.journal.http.map(({ status }) => status)
      assert.deepStrictEqual(statuses, [undefined, undefined, 200, undefined, 302, 503, 503, 200])

      running.faultNext("/info", { type: "oversized" })
      const size = yield* Effect.promise(() => readUpTo(`${running.url}/info`, 3_000_000))
      assert.isAbove(size, 3_000_000)
      running.serve("/info", (response, { method }) => response.end(`{"said":"${method}"}`))
      assert.deepStrictEqual((yield* get(running, "/info")).body, { said: "GET" })
      running.serve("/info")
      assert.deepInclude((yield* get(running, "/info")).body, { version: "0.2.1" })
    })
  )

  it.scopedLive("befall sockets", () =>
    Effect.gen(function* () {
      const running = yield* relay()
      const socket = yield* connect(running, bridge)
      const { id } = yield* subscribe(socket, inChannel)
      running.deaf(true)
      const missed = message({ by: alice, channel, content: "Hello?" })
      yield* running.publish(missed)
      running.deaf(false)
      running.inject('{"id":"no event at all"}')
      assert.deepStrictEqual(yield* socket.next, ["EVENT", id, { id: "no event at all" }])
      running.say('["NOTICE","restarting soon"]')
      assert.deepStrictEqual(yield* socket.next, ["NOTICE", "restarting soon"])
      const sent = yield* running.flood(50)
      for (const event of sent) assert.deepStrictEqual(yield* socket.next, ["EVENT", id, event])
      assert.lengthOf(running.eventsIn(channel), 51)
      running.closeSubscriptions("error: shutting down idle subscription")
      assert.deepStrictEqual(yield* socket.next, ["CLOSED", id, "error: shutting down idle subscription"])
      running.closeSockets(1012, "service restart")
      assert.strictEqual((yield* socket.closed).code, 1012)

      const cut = yield* connect(running, bridge)
      running.dropSockets()
      assert.strictEqual((yield* cut.closed).code, 1006)
      running.refuseAuth("blocked: you are banned")
      assert.deepInclude(yield* connect(running, bridge), {
        accepted: false,
        reason: "blocked: you are banned"
      })
      running.silentAuth()
      const silent = yield* knock(running)
      yield* running.waitFor(({ openSockets }) => openSockets === 1)
      assert.isEmpty(yield* silent.waiting)
      running.faultNext("ws", { type: "status", status: 403, body: { error: "edge" } })
      assert.deepInclude(yield* Effect.flip(knock(running)), { status: 403, body: { error: "edge" } })
      assert.deepInclude(running.journal.upgrades.at(-1), { path: "/", status: 403 })
    })
  )

  it.scopedLive("include its going away and coming back with all it knew, on the same port", () =>
    Effect.gen(function* () {
      const running = yield* relay()
      const socket = yield* connect(running, bridge)
      yield* running.publish(message({ by: bob, channel, content: "Before" }))
      yield* running.stop()
      assert.strictEqual((yield* socket.closed).code, 1012)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(get(running, "/info"))))
      yield* running.publish(message({ by: bob, channel, content: "Meanwhile" }))
      yield* running.start()
      const back = yield* connect(running, bridge)
      assert.lengthOf((yield* subscribe(back, inChannel)).events, 2)
    })
  )
})
