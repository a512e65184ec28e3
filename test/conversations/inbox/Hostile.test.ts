import { monitorEventLoopDelay } from "node:perf_hooks"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Verifier } from "../../../src/conversations/wire/Verifier.ts"
import { message } from "../../support/relay/Drafts.ts"
import type { Fault, Responder } from "../../support/relay/Faults.ts"
import { type SignedEvent, seconds } from "../../support/relay/Keys.ts"
import type { TestRelay } from "../../support/relay/TestRelay.ts"
import {
  alice,
  bob,
  bridged,
  bridgeWorld,
  channel,
  eventually,
  otherChannel,
  type Routes
} from "../relay/Bridged.ts"

const say = (content: string, more: Partial<Parameters<typeof message>[0]> = {}) =>
  message({ by: alice, channel, content, ...more })

/** The chat holds what the relay's channel holds, and nothing else. */
const holdsOnly = (here: Routes, events: ReadonlyArray<SignedEvent>) =>
  Effect.gen(function* () {
    const chat: ReadonlyArray<{ readonly id: string }> = yield* eventually(
      here.squad,
      ({ length }) => length >= events.length,
      20_000
    )
    assert.deepStrictEqual(chat.map(({ id }) => id).sort(), events.map(({ id }) => `msg_relay_${id}`).sort())
  })

const bent = (event: SignedEvent): ReadonlyArray<object | string> => [
  { ...event, sig: `${event.sig.slice(0, -2)}${event.sig.endsWith("00") ? "11" : "00"}` },
  { ...event, content: "changed" },
  { ...event, id: event.id.toUpperCase() },
  { ...event, id: "0".repeat(64) },
  { ...event, pubkey: bob.publicKey },
  { ...event, kind: "9" },
  { ...event, created_at: event.created_at + 0.5 },
  { ...event, tags: [["h", channel, 7]] },
  { ...event, tags: Array.from({ length: 2_001 }, () => ["t", "x"]) },
  { ...event, content: "\ud800" },
  "null",
  "[]",
  '{"id":',
  '"text"'
]

describe("A hostile relay", () => {
  it.scopedLive("gets nothing into the chat that is not genuine, of this channel and of this time", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const first = say("genuine")
      yield* there.publish(first)
      yield* holdsOnly(here, [first])
      const lies = bent(say("never said"))
      for (const lie of lies) there.inject(lie)
      there.inject(say("elsewhere", { channel: otherChannel }))
      there.inject(say("from far ahead", { at: seconds() + 90_000 }))
      there.inject(say("many tags", { tags: Array.from({ length: 5_000 }, (_, n) => ["t", `${n}`]) }))
      // Under the id of a message that is known, and under one that comes a moment later.
      there.inject({ ...first, content: "something else" })
      const late = say("comes late")
      there.inject({ ...late, content: "comes first" })
      yield* there.publish(late)
      yield* holdsOnly(here, [first, late])
      const { rejectedCount } = yield* here.health
      // A frame that is no JSON is no event at all.
      assert.isAtLeast(rejectedCount ?? 0, lies.length - 1 + 3)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  const faults: ReadonlyArray<readonly [name: string, fault: Fault]> = [
    ["truncates its answers", { type: "truncate" }],
    ["answers without end", { type: "oversized" }],
    ["leads elsewhere", { type: "redirect", to: "http://127.0.0.1:9/" }],
    ["answers with noise", { type: "status", status: 200, body: "no JSON {" }],
    ["answers with an object", { type: "status", status: 200, body: { events: 7 } }],
    ["breaks connections", { type: "cut", stored: false }]
  ]

  it.scopedLive("costs nothing when its answers come to their senses again", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const said: Array<SignedEvent> = []
      for (const [name, fault] of faults) {
        // While nobody listens something is said, and the first question about it goes wrong.
        yield* here.unmap()
        const missed = say(`while it ${name}`)
        said.push(missed)
        yield* there.publish(missed)
        there.faultNext("/query", fault)
        yield* here.map()
        yield* holdsOnly(here, said)
      }
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("does not stop what is said live when its history hangs", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      yield* here.unmap()
      there.faultNext("/query", { type: "hang" })
      yield* here.map()
      yield* there.waitFor(({ requests }) => requests.length === 2)
      yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
      const live = say("in the meantime")
      yield* there.publish(live)
      yield* holdsOnly(here, [live])
    }).pipe(Effect.provide(bridgeWorld()))
  )

  const outside: (there: TestRelay) => Responder = () => {
    const old = Array.from({ length: 200 }, (_, n) => say(`old ${n}`, { at: 1_000_000 + n }))
    return (response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify(old))
    }
  }

  it.scopedLive("is not asked for ever when it answers with what nobody asked for", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      yield* here.unmap()
      there.serve("/query", outside(there))
      const before = there.journal.http.length
      yield* here.map()
      const missed = say("between the lies")
      yield* there.publish(missed)
      yield* eventually(
        here.health,
        ({ runtime }) => runtime?.subscription.reasonCode === "query_response_invalid"
      )
      assert.isBelow(there.journal.http.length - before, 6)
      there.serve("/query")
      yield* holdsOnly(here, [missed])
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("floods, and the board answers while it is sorted out", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const forged = { ...say("forged"), sig: "0".repeat(128) }
      for (let n = 0; n < 3_000; n++) there.inject({ ...forged, id: n.toString(16).padStart(64, "0") })
      const asked = performance.now()
      yield* here.health
      assert.isBelow(performance.now() - asked, 2_000)
      yield* eventually(here.health, ({ rejectedCount }) => (rejectedCount ?? 0) >= 3_000)
      const after = say("after the flood")
      yield* there.publish(after)
      yield* holdsOnly(here, [after])
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("leaves the event loop its turns while a thousand signatures are checked", () =>
    Effect.gen(function* () {
      const { verify } = yield* Verifier
      const events = Array.from({ length: 1_000 }, (_, n) => say(`${n}`))
      const forged = events.map((event) => ({ ...event, content: "forged" }))
      yield* verify(events.slice(0, 1))
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      const verdicts = yield* verify([...events, ...forged])
      delay.disable()
      assert.strictEqual(verdicts.filter(Boolean).length, 1_000)
      assert.isBelow(delay.percentile(50) / 1e6, 20, "milliseconds between two turns")
    }).pipe(Effect.provide(Verifier.layer))
  )
})
