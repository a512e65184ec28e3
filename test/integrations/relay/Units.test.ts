import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { edit, message, reply } from "../../support/relay/Drafts.ts"
import { seconds } from "../../support/relay/Keys.ts"
import { relay } from "../../support/relay/Relay.ts"
import { adapterBody, alice, bob, bridgeWorld, channel, eventually, routes } from "./Bridged.ts"

describe("Events that are brought in together", () => {
  it.scopedLive("find each other whatever their order in time is", () =>
    Effect.gen(function* () {
      const at = seconds() - 60
      const root = message({ by: alice, channel, content: "root", at: at + 9 })
      const first = reply({ by: bob, to: root, content: "first", at: at + 5 })
      const second = reply({ by: alice, to: first, content: "second", at: at + 1 })
      const third = reply({ by: bob, to: second, content: "third", at: at + 10 })
      const edited = edit({ by: alice, target: root, content: "better", at: at + 2 })
      const again = edit({ by: bob, target: third, content: "best", at: at + 3 })
      const there = yield* relay()
      yield* there.seed([root, first, second, third, edited, again])
      const here = yield* routes
      yield* here.put(adapterBody(there.url))
      yield* here.map()
      const all = yield* eventually(here.squad, (found) => found.length === 4)
      const idOf = (event: { readonly id: string }) => `msg_relay_${event.id}`
      expect(
        all.map(({ message, replyToId }: { message: string; replyToId?: string }) => [message, replyToId])
      ).toEqual([
        ["root", undefined],
        ["first", idOf(root)],
        ["second", idOf(first)],
        ["third", idOf(second)]
      ])
      expect(all[0].external.edits).toMatchObject([{ eventId: edited.id, targetEventId: root.id }])
      expect(all[3].external.edits).toMatchObject([{ eventId: again.id, targetEventId: third.id }])
      const { runtime } = yield* eventually(here.health, ({ status }) => status === "healthy")
      expect(runtime?.cursor).toMatchObject({ pendingReplies: 0, eventId: third.id })
      const statuses: ReadonlyArray<{ readonly eventId: string; readonly status: string }> =
        yield* here.deliveries("?direction=inbound&status=success")
      expect(new Set(statuses.map(({ eventId }) => eventId)).size).toBe(6)
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
