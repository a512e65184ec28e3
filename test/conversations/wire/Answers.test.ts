import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bridged, bridgeWorld, channel, eventually } from "../relay/Bridged.ts"

interface Sent {
  readonly status: string
  readonly reasonCode?: string
}

const other = "e".repeat(64)

/** Answers of 2xx that say nothing about the event, made from its id. */
const unclear: ReadonlyArray<readonly [what: string, body: (id: string) => string]> = [
  ["a page of HTML", () => "<!doctype html><title>Sign in</title>"],
  ["an empty body", () => ""],
  ["a list", () => "[]"],
  ["the right answer in a list", (id) => JSON.stringify([{ event_id: id, accepted: true }])],
  ["a text", () => '"ok"'],
  ["null", () => "null"],
  ["a number", () => "1"],
  ["true", () => "true"],
  ["an object without a word", () => "{}"],
  ["a word without an id", () => JSON.stringify({ accepted: true })],
  ["an id without a word", (id) => JSON.stringify({ event_id: id })],
  ["a word that is a text", (id) => JSON.stringify({ event_id: id, accepted: "no" })],
  ["a word that is a number", (id) => JSON.stringify({ event_id: id, accepted: 1 })],
  ["a word about another event", () => JSON.stringify({ event_id: other, accepted: true })],
  ["a no about another event", () => JSON.stringify({ event_id: other, accepted: false })],
  ["an id in capitals", (id) => JSON.stringify({ event_id: id.toUpperCase(), accepted: true })],
  ["half of the right answer", (id) => JSON.stringify({ event_id: id, accepted: true }).slice(0, -4)]
]

describe("What a relay says to an event", () => {
  it.scopedLive("is a success only when it is its own word about this very event", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      for (const [index, [what, body]] of unclear.entries()) {
        there.serve("/events", (response, { body: event }) => {
          const { id }: { readonly id: string } = JSON.parse(event)
          response.writeHead(index % 2 === 0 ? 200 : 202, { "content-type": "application/json" })
          response.end(body(id))
        })
        const sent: Sent = (yield* here.send(`msg_${index}`, what)).body
        assert.deepStrictEqual([what, sent.status], [what, "delivery_unknown"])
        assert.strictEqual(sent.reasonCode, "answer_unclear")
      }
      there.serve("/events")
      assert.strictEqual((yield* here.health).runtime?.send.unknown, unclear.length)
      const { body } = yield* here.poll
      assert.deepStrictEqual([body.checked, body.success], [unclear.length, unclear.length])
      assert.strictEqual(there.eventsIn(channel).length, unclear.length, "each of them once")
    }).pipe(Effect.provide(bridgeWorld()))
  )

  const refusals: ReadonlyArray<readonly [said: string, reasonCode: string]> = [
    ["restricted: you may not write here", "write_refused"],
    ["blocked: you are banned", "write_refused"],
    ["restricted: not a channel member", "channel_membership_required"],
    ["invalid: no", "event_refused"],
    ["", "event_refused"]
  ]

  it.scopedLive("is a refused write when it says no, and never a refused read", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      for (const [index, [message, reasonCode]] of refusals.entries()) {
        there.faultNext("/events", { type: "status", status: 200, body: { accepted: false, message } })
        const sent: Sent = (yield* here.send(`msg_${index}`, "hello")).body
        assert.deepStrictEqual([message, sent.status, sent.reasonCode], [message, "failed", reasonCode])
      }
      there.faultNext("/events", { type: "status", status: 403, body: { error: "restricted: timed out" } })
      const sent: Sent = (yield* here.send("msg_403", "hello")).body
      assert.deepStrictEqual([sent.status, sent.reasonCode], ["failed", "write_refused"])
      const open = yield* eventually(here.deliveries("?status=delivery_unknown"), () => true)
      assert.deepStrictEqual(open, [])
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
