import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { message, reply } from "../../support/relay/Drafts.ts"
import { judge } from "../../support/relay/Judge.ts"
import { alice, bob, bridge, bridged, bridgeWorld, channel, eventually } from "./Bridged.ts"

describe("A conversation with a relay", () => {
  it.scopedLive("goes both ways, in threads", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const hello = message({ by: alice, channel, content: "hello from the relay" })
      yield* there.publish(hello)
      const [heard] = yield* eventually(here.squad, (all) => all.length === 1)
      expect(heard).toMatchObject({
        id: `msg_relay_${hello.id}`,
        agent: `relay:${alice.publicKey.slice(0, 8)}`,
        message: "hello from the relay",
        createdBy: "bridge",
        external: {
          provider: "relay",
          authorPubkey: alice.publicKey,
          kind: 9,
          channelId: channel,
          community: there.host,
          eventId: hello.id
        }
      })

      const sent = yield* here.send("msg_answer", "hello back", heard.id)
      expect(sent.body).toMatchObject({ status: "success", event: { kind: 9, pubkey: bridge.publicKey } })
      const answer = there.eventsIn(channel).find(({ id }) => id === sent.body.event.id)
      expect(answer?.tags).toEqual([
        ["h", channel],
        ["e", hello.id, "", "reply"],
        ["client", "muster"],
        ["delivery", sent.body.deliveryId]
      ])
      expect(answer !== undefined && (yield* Effect.promise(() => judge(answer)))).toBe(true)

      if (answer === undefined) return
      yield* there.publish(reply({ by: bob, to: answer, content: "and once more" }))
      const all = yield* eventually(here.squad, (found) => found.length === 2)
      expect(all[1]).toMatchObject({ message: "and once more", external: { authorPubkey: bob.publicKey } })
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
