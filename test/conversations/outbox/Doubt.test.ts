import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { queue } from "../../../src/conversations/outbox/OutgoingRepo.ts"
import {
  ageLimit,
  lastChance,
  nextLook,
  standingAfter,
  tooOldAt
} from "../../../src/conversations/outbox/SettleDelivery.ts"
import * as Sql from "../../../src/storage/Sql.ts"
import { sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import type { TestRelay } from "../../support/relay/TestRelay.ts"
import { bridged, bridgeWorld, channel, eventually, type Routes } from "../relay/Bridged.ts"

/** The time has come at which everything that is open is looked at again. */
const timeHasCome = Effect.flatMap(Storage, ({ write }) =>
  write(Effect.zipRight(Sql.moves(queue), Sql.run(sql`UPDATE relay_outgoing SET next_at = 1`)))
)

const handedOver = (there: TestRelay) => there.journal.http.filter(({ path }) => path === "/events").length

const settles = (here: Routes, status: string) =>
  eventually(here.deliveries("?direction=outbound"), (all) =>
    all.every((one: { readonly status: string }) => one.status === status)
  )

describe("A message of which nobody knows whether it arrived", () => {
  it.scopedLive("is asked for by itself, and only what the relay does not have is sent again", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.deaf(true)
      there.faultNext("/events", { type: "cut", stored: true })
      yield* here.send("msg_1", "it arrived")
      there.faultNext("/events", { type: "cut", stored: false })
      yield* here.send("msg_2", "it did not")
      yield* settles(here, "delivery_unknown")
      assert.strictEqual(handedOver(there), 2, "nothing is sent again before somebody has asked")
      yield* timeHasCome
      yield* settles(here, "success")
      assert.strictEqual(handedOver(there), 3)
      assert.deepStrictEqual(
        there
          .eventsIn(channel)
          .map(({ content }) => content)
          .sort(),
        ["it arrived", "it did not"]
      )
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("is asked for also when the one who sent it never came back", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.faultNext("/events", { type: "cut", stored: false })
      yield* here.send("msg_1", "hello")
      const { write } = yield* Storage
      yield* write(
        Effect.zipRight(
          Sql.run(sql`UPDATE relay_outgoing SET in_flight = 1`),
          Sql.run(sql`UPDATE communication_deliveries SET status = 'queued' WHERE direction = 'outbound'`)
        )
      )
      yield* timeHasCome
      yield* settles(here, "success")
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("stays unknown, and counts as such, while a circuit lets nothing out", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.faultNext("/events", { type: "status", status: 500 }, 5)
      for (let n = 0; n < 5; n++) yield* here.send(`msg_${n}`, `${n}`)
      const { body } = yield* here.poll
      assert.deepInclude(body, {
        checked: 5,
        success: 0,
        resubmitted: 0,
        failed: 0,
        reasonCode: "circuit_open"
      })
      const statuses = body.deliveries.map(({ status }: { readonly status: string }) => status)
      assert.deepStrictEqual(new Set(statuses), new Set(["delivery_unknown"]))
      assert.deepInclude((yield* here.health).runtime?.send, { queued: 0, unknown: 5 })
      assert.strictEqual(handedOver(there), 5)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("was not handed over when there was nobody to hand it to", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.faultNext("/events", { type: "cut", stored: false })
      yield* here.send("msg_1", "hello")
      there.faultNext("/events", { type: "status", status: 503, body: { error: "rate-limited: busy" } })
      const { body } = yield* here.poll
      assert.deepInclude(body, { checked: 1, resubmitted: 0, reasonCode: "rate_limited" })
      assert.strictEqual(body.deliveries[0].status, "delivery_unknown")
    }).pipe(Effect.provide(bridgeWorld()))
  )
})

describe("The time of a message in doubt", () => {
  const signedAt = 1_800_000_000
  const at = (seconds: number) => (signedAt + seconds) * 1_000
  const doubted = (attempts: number, doubtful: boolean) => ({ attempts, doubtful, signedAt })

  it("is looked at after a minute, then less often, and for the last time when it is too old", () => {
    const looks = [at(0)]
    for (let attempts = 1; (looks.at(-1) ?? 0) < tooOldAt(signedAt); attempts++)
      looks.push(nextLook(attempts, undefined, signedAt, looks.at(-1) ?? 0))
    const seconds = looks.map((one) => one / 1_000 - signedAt)
    assert.deepStrictEqual(seconds, [0, 60, 180, 420, 660, ageLimit])
    assert.isAbove(lastChance, 0)
  })

  it("waits for as long as the relay asks, and for a minute after the last attempt", () => {
    assert.strictEqual(nextLook(1, 300_000, signedAt, at(0)), at(300))
    assert.strictEqual(nextLook(1, 3_600_000, signedAt, at(0)), tooOldAt(signedAt))
    assert.strictEqual(nextLook(1, undefined, signedAt, at(ageLimit - 1)), at(ageLimit + 59))
  })

  it("stays in doubt when the relay says of a later attempt that it wrote nothing", () => {
    const busy = { _tag: "Postponed", reason: "rate_limited", retryAfterMs: 7_000 } as const
    assert.strictEqual(standingAfter(busy, doubted(1, false), at(0))._tag, "Queued")
    assert.strictEqual(standingAfter(busy, doubted(1, true), at(0))._tag, "Unknown")
    const late = at(ageLimit - 1)
    assert.deepInclude(standingAfter(busy, doubted(9, false), late), { _tag: "Over", status: "failed" })
    assert.strictEqual(standingAfter(busy, doubted(9, true), late)._tag, "Unknown")
  })
})
