import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { pendingLimit } from "../../../src/conversations/inbox/PendingRepo.ts"
import { run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { edit, message, reply } from "../../support/relay/Drafts.ts"
import { seconds } from "../../support/relay/Keys.ts"
import { relay } from "../../support/relay/Relay.ts"
import { World } from "../../support/World.ts"
import {
  adapterBody,
  alice,
  bob,
  bridged,
  bridgeWorld,
  channel,
  eventually,
  routes
} from "../relay/Bridged.ts"

interface Dropped {
  readonly eventId: string
  readonly reasonCode: string
}

describe("Replies to what never comes", () => {
  it.scopedLive("wait up to a bound, and the oldest is let go and told", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const at = seconds() - 5_000
      const root = message({ by: alice, channel, content: "never told", at })
      const replies = Array.from({ length: pendingLimit + 2 }, (_, n) =>
        reply({ by: bob, to: root, content: `${n}`, at: at + n })
      )
      for (const event of replies) there.inject(event)
      const dropped = yield* eventually(here.deliveries("?status=ignored"), ({ length }) => length === 2)
      expect(dropped.map(({ eventId, reasonCode }: Dropped) => [eventId, reasonCode]).sort()).toEqual(
        replies
          .slice(0, 2)
          .map(({ id }) => [id, "pending_dropped"])
          .sort()
      )
      expect((yield* here.health).runtime?.cursor).toMatchObject({ pendingReplies: pendingLimit })
      expect(yield* here.squad).toEqual([])
      const { request } = yield* World
      const audit = yield* request("GET", "/api/audit?resource=relay-event&limit=1000", { as: "admin" })
      expect(JSON.stringify(audit.body)).toContain("pending_dropped")
    }).pipe(Effect.provide(bridgeWorld()))
  )
})

describe("An event whose audit can't be written", () => {
  it.scopedLive("is not there, and the cursor stays before it until it is", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const storage = yield* Storage
      // Within one second the id decides which event the cursor names.
      const before = message({ by: alice, channel, content: "before", at: seconds() - 5 })
      yield* there.publish(before)
      yield* eventually(here.squad, ({ length }) => length === 1)
      yield* eventually(here.health, ({ runtime }) => runtime?.cursor.eventId === before.id)
      yield* storage.write(
        run(
          sql`CREATE TRIGGER no_audit BEFORE INSERT ON audit WHEN NEW.resource IN ('relay-event', 'squad-message')
            BEGIN SELECT RAISE(ABORT, 'no audit'); END`
        )
      )
      const asked = there.journal.requests.length
      const event = message({ by: alice, channel, content: "unheard of" })
      yield* there.publish(event)
      // It is tried, fails, and is asked for again.
      yield* there.waitFor(({ requests }) => requests.length > asked)
      expect((yield* here.health).runtime?.cursor.eventId).toBe(before.id)
      expect(yield* here.squad).toHaveLength(1)
      yield* storage.write(run(sql`DROP TRIGGER no_audit`))
      yield* eventually(here.squad, ({ length }) => length === 2)
      yield* eventually(here.health, ({ runtime }) => runtime?.cursor.eventId === event.id)
    }).pipe(Effect.provide(bridgeWorld()))
  )
})

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
