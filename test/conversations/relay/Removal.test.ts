import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { adapterLimit } from "../../../src/conversations/adapters/Adapter.ts"
import { queue } from "../../../src/conversations/outbox/OutgoingRepo.ts"
import * as Sql from "../../../src/storage/Sql.ts"
import { sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { message, reply } from "../../support/relay/Drafts.ts"
import { World } from "../../support/World.ts"
import {
  adapterBody,
  alice,
  bob,
  bridged,
  bridgeWorld,
  channel,
  eventually,
  otherChannel,
  routes
} from "./Bridged.ts"

const path = `/adapters/community/relay/channels/${channel}`

/** How much is left of an adapter where nothing should be. */
const leftovers = Effect.flatMap(Storage, ({ select }) =>
  select<{ n: number }>(
    sql`SELECT (SELECT COUNT(*) FROM relay_mappings) + (SELECT COUNT(*) FROM relay_pending)
      + (SELECT COUNT(*) FROM relay_evidence) + (SELECT COUNT(*) FROM relay_trigger_rules)
      + (SELECT COUNT(*) FROM teamchat_secrets) AS n`
  )
)

describe("A mapping", () => {
  it.scopedLive("is forgotten when it is off, and what was said stays and comes once", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const root = message({ by: alice, channel, content: "before" })
      yield* there.publish(root)
      yield* eventually(here.squad, ({ length }) => length === 1)
      const inUse = yield* here.call("DELETE", path)
      assert.strictEqual(inUse.status, 409)
      assert.deepInclude(inUse.body.details, { enabled: true })
      yield* here.unmap()
      assert.strictEqual((yield* here.call("DELETE", path)).status, 204)
      assert.strictEqual((yield* here.call("DELETE", path)).status, 404)
      assert.deepStrictEqual((yield* here.call("GET", "/adapters/community/relay/channels")).body, [])
      yield* there.publish(reply({ by: bob, to: root, content: "meanwhile" }))
      yield* here.map()
      const chat: ReadonlyArray<{ readonly message: string; readonly replyToId?: string }> =
        yield* eventually(here.squad, ({ length }) => length === 2)
      assert.deepStrictEqual(
        chat.map(({ message, replyToId }) => [message, replyToId]),
        [
          ["before", undefined],
          ["meanwhile", `msg_relay_${root.id}`]
        ]
      )
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("takes its rules and what waits in it along", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const mapping = (yield* here.call("GET", "/adapters/community/relay/channels")).body[0]
      yield* here.call("POST", "/adapters/community/relay/workflow-triggers", {
        body: { mappingId: mapping.id, workflowId: "deploy" }
      })
      const root = message({ by: alice, channel, content: "nobody has it" })
      there.inject(reply({ by: bob, to: root, content: "waits" }))
      yield* eventually(here.health, ({ runtime }) => runtime?.cursor.pendingReplies === 1)
      yield* here.unmap()
      assert.strictEqual((yield* here.call("DELETE", path)).status, 204)
      assert.deepStrictEqual(
        (yield* here.call("GET", "/adapters/community/relay/workflow-triggers")).body,
        []
      )
      // What is known of the relay belongs to the adapter.
      assert.deepStrictEqual(yield* leftovers, [{ n: 1 }])
      const { request } = yield* World
      const audit = yield* request("GET", "/api/audit?limit=100", { as: "admin" })
      assert.include(JSON.stringify(audit.body), "relay-mapping.deleted")
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("stays while messages are on their way to its channel", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.deaf(true)
      there.faultNext("/events", { type: "cut", stored: false })
      yield* here.send("msg_1", "hello")
      yield* here.unmap()
      const refused = yield* here.call("DELETE", path)
      assert.strictEqual(refused.status, 409)
      assert.deepInclude(refused.body.details, { enabled: false, openDeliveries: 1 })
      yield* here.map(otherChannel)
      yield* here.unmap(otherChannel)
      assert.strictEqual(
        (yield* here.call("DELETE", `/adapters/community/relay/channels/${otherChannel}`)).status,
        204
      )
    }).pipe(Effect.provide(bridgeWorld()))
  )
})

describe("An adapter", () => {
  it.scopedLive("is forgotten when it is off, and sends nothing twice when it comes back", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const { request } = yield* World
      yield* here.send("msg_1", "hello")
      const inUse = yield* here.call("DELETE", "/adapters/community")
      assert.strictEqual(inUse.status, 409)
      assert.include(inUse.body.error, "disconnect it first")
      yield* here.disconnect
      const byAgent = yield* request("DELETE", "/api/integrations/communication/adapters/community")
      assert.strictEqual(byAgent.status, 403)
      assert.strictEqual((yield* here.call("DELETE", "/adapters/community")).status, 204)
      assert.strictEqual((yield* here.call("DELETE", "/adapters/community")).status, 404)
      assert.strictEqual((yield* here.call("GET", "/adapters/community/health")).status, 404)
      assert.deepStrictEqual(yield* leftovers, [{ n: 0 }])
      assert.strictEqual((yield* here.deliveries("?direction=outbound")).length, 1)
      assert.strictEqual((yield* here.threads).length, 1)
      yield* here.put(adapterBody(there.url))
      yield* here.map()
      yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
      assert.strictEqual((yield* here.send("msg_1", "hello")).body.status, "success")
      assert.strictEqual(there.eventsIn(channel).length, 1)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("stays while messages are on their way through it", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.deaf(true)
      there.faultNext("/events", { type: "cut", stored: false })
      yield* here.send("msg_1", "hello")
      yield* here.disconnect
      const refused = yield* here.call("DELETE", "/adapters/community")
      assert.strictEqual(refused.status, 409)
      assert.deepInclude(refused.body.details, { enabled: false, openDeliveries: 1 })
      const { write } = yield* Storage
      const spoil = Sql.run(sql`UPDATE relay_outgoing SET event = 'v1.of.another.key', next_at = 1`)
      yield* write(Effect.zipRight(Sql.moves(queue), spoil))
      yield* eventually(here.deliveries("?status=failed"), ({ length }) => length === 1)
      assert.strictEqual((yield* here.call("DELETE", "/adapters/community")).status, 204)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("makes room on a full board", () =>
    Effect.gen(function* () {
      const here = yield* routes
      const body = {
        kind: "teamchat",
        displayName: "Team",
        enabled: false,
        webhookUrl: "https://chat.example/x"
      }
      for (let n = 0; n < adapterLimit; n++)
        assert.strictEqual((yield* here.call("PUT", `/adapters/team-${n}`, { body })).status, 200)
      const full = yield* here.call("PUT", "/adapters/another", { body })
      assert.strictEqual(full.status, 409)
      assert.strictEqual((yield* here.call("DELETE", "/adapters/team-7")).status, 204)
      assert.strictEqual((yield* here.call("PUT", "/adapters/another", { body })).status, 200)
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
