import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { message } from "../../support/relay/Drafts.ts"
import { world } from "../../support/World.ts"
import {
  adapterBody,
  alice,
  bridged,
  bridgeWorld,
  channel,
  eventually,
  otherChannel,
  routes
} from "../relay/Bridged.ts"

const off = adapterBody("https://relay.example", { allowLocalhost: false, enabled: false })

describe("The mapping of a channel", () => {
  it.scopedLive("has an id, and keeps it when it is switched off and on", () =>
    Effect.gen(function* () {
      const here = yield* routes
      yield* here.put(off)
      const { body: mapped } = yield* here.map(channel.toUpperCase())
      expect(mapped).toMatchObject({
        id: expect.stringMatching(/^map_/),
        adapterId: "community",
        channelId: channel,
        target: { kind: "squad" },
        enabled: true,
        actor: "bridge"
      })
      const { body: disabled } = yield* here.unmap()
      expect(disabled).toMatchObject({ id: mapped.id, enabled: false })
      expect((yield* here.call("GET", "/adapters/community/relay/channels")).body).toEqual([disabled])
      expect((yield* here.map()).body.id).toBe(mapped.id)
      expect((yield* here.unmap(otherChannel)).status).toBe(404)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("names what is wrong with it", () =>
    Effect.gen(function* () {
      const here = yield* routes
      yield* here.put(off)
      const put = (id: string, body: unknown) =>
        here.call("PUT", `/adapters/community/relay/channels/${id}`, { body })
      const good = { target: { kind: "squad" }, enabled: true, actor: "bridge" }
      expect((yield* put("not-a-uuid", good)).status).toBe(400)
      for (const [field, change] of [
        ["target", { target: { kind: "task" } }],
        ["enabled", { enabled: "yes" }],
        ["actor", { actor: 7 }],
        ["actor", { actor: "" }]
      ] as const) {
        const { body, status } = yield* put(channel, { ...good, ...change })
        expect([field, status]).toEqual([field, 400])
        expect(JSON.stringify(body.details)).toContain(field)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is the only enabled one, also when two come at once", () =>
    Effect.gen(function* () {
      const here = yield* routes
      yield* here.put(off)
      const answers = yield* Effect.all(
        [channel, otherChannel, channel, otherChannel].map((id) => here.map(id)),
        { concurrency: 4 }
      )
      const refused = answers.filter(({ status }) => status === 409)
      expect(refused).toHaveLength(2)
      for (const { body } of refused) {
        expect(body).toMatchObject({ code: "CONFLICT" })
        expect([channel, otherChannel]).toContain(body.details.enabledChannelId)
      }
      const { body } = yield* here.call("GET", "/adapters/community/relay/channels")
      expect(body.filter(({ enabled }: { enabled: boolean }) => enabled)).toHaveLength(1)
      yield* here.unmap(body[0].channelId)
      const other = body[0].channelId === channel ? otherChannel : channel
      expect((yield* here.map(other)).status).toBe(200)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leads another channel to the chat when it is changed, over the same connection", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      yield* here.unmap()
      yield* here.map(otherChannel)
      yield* eventually(here.health, ({ runtime }) => runtime?.subscription.channelId === otherChannel)
      yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
      yield* there.publish(message({ by: alice, channel, content: "in the old one" }))
      yield* there.publish(message({ by: alice, channel: otherChannel, content: "in the new one" }))
      const [heard] = yield* eventually(here.squad, (all) => all.length === 1)
      expect(heard.message).toBe("in the new one")
      yield* here.send("msg_1", "hello")
      expect(there.eventsIn(otherChannel)).toHaveLength(2)
      expect(there.journal.sockets).toBe(1)

      yield* here.unmap(otherChannel)
      yield* here.map()
      yield* eventually(here.squad, (all) => all.length === 2)
      expect((yield* here.squad)[1].message).toBe("in the old one")
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
