import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { conversationsRetentions } from "../../../src/conversations/Conversations.ts"
import * as DeliveryRepo from "../../../src/conversations/deliveries/DeliveryRepo.ts"
import { receiptRetention } from "../../../src/conversations/deliveries/Retention.ts"
import * as Sweep from "../../../src/storage/retention/Sweep.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { message, reply } from "../../support/relay/Drafts.ts"
import { storageInMemory } from "../../support/TestStorage.ts"
import { adapterBody, alice, bob, bridged, bridgeWorld, channel, eventually } from "../relay/Bridged.ts"

describe("A relay that moves to another host", () => {
  it.scopedLive("brings its messages along and doubles none", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const before = message({ by: alice, channel, content: "before the move" })
      yield* there.publish(before)
      yield* eventually(here.squad, ({ length }) => length === 1)

      yield* there.set({ community: `localhost:${there.port}` })
      yield* here.put(adapterBody(there.url.replace("127.0.0.1", "localhost")))
      yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
      yield* there.publish(reply({ by: bob, to: before, content: "after the move" }))
      const [first, second, ...others] = yield* eventually(here.squad, ({ length }) => length === 2)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(first.id, `msg_relay_${before.id}`)
      assert.strictEqual(second.replyToId, first.id)
    }).pipe(Effect.provide(bridgeWorld()))
  )
})

describe("The record of what came in", () => {
  it.scopedLive("is one for an event, however often it comes, and pushes no other one out", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      const came = (eventId: string) =>
        DeliveryRepo.insert({
          adapterId: "community",
          direction: "inbound",
          status: "replayed",
          eventId,
          community: "relay.example"
        })
      const sent = yield* write(
        DeliveryRepo.insert({
          adapterId: "community",
          direction: "outbound",
          status: "success",
          squadMessageId: "msg_1"
        })
      )
      for (let round = 0; round < 11; round++) yield* write(Effect.repeatN(came("again and again"), 999))
      for (let n = 0; n < receiptRetention.span.count; n += 1_000)
        yield* write(
          Effect.forEach(
            Array.from({ length: 1_000 }, (_, at) => n + at),
            (at) => came(`event ${at}`)
          )
        )
      yield* Sweep.sweep(conversationsRetentions)
      const { items, total } = yield* read(DeliveryRepo.newest({ limit: 500 }))
      assert.strictEqual(total, receiptRetention.span.count + 1, "the newest, and what went out")
      assert.isTrue(items.every(({ times }) => times === 1))
      const kept = yield* read(DeliveryRepo.findSent("community", "msg_1"))
      assert.strictEqual(kept?.id, sent, "what went out is known for ever: it must not go out again")
    }).pipe(Effect.provide(storageInMemory))
  )
})
