import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Redacted } from "effect"
import { Vault } from "../../../src/kernel/Vault.ts"
import * as Sql from "../../../src/storage/Sql.ts"
import { sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { judge } from "../../support/relay/Judge.ts"
import { relay } from "../../support/relay/Relay.ts"
import { World } from "../../support/World.ts"
import {
  adapterBody,
  alice,
  bridge,
  bridged,
  bridgeWorld,
  channel,
  eventually,
  routes
} from "../relay/Bridged.ts"

/** Changes what is stored behind the service's back. */
const tamper = (query: Sql.Query) => Effect.flatMap(Storage, ({ write }) => write(Sql.run(query)))

/** Changes a stored event as only somebody could who has the key of the vault. */
const tamperWithEvent = (change: (event: Record<string, unknown>) => unknown) =>
  Effect.gen(function* () {
    const { open, seal } = yield* Vault
    const { select } = yield* Storage
    const rows = yield* select<{ id: string; event: string }>(
      sql`SELECT delivery_id AS id, event FROM relay_outgoing`
    )
    for (const { event, id } of rows) {
      const place = ["relay-outgoing", id, "event"]
      const text = Redacted.value(Either.getOrThrow(open(event, place)))
      const changed = Redacted.make(JSON.stringify(change(JSON.parse(text))))
      yield* tamper(
        sql`UPDATE relay_outgoing SET event = ${yield* seal(changed, place)} WHERE delivery_id = ${id}`
      )
    }
  })

const events = (there: { readonly journal: { readonly http: ReadonlyArray<{ readonly path: string }> } }) =>
  there.journal.http.filter(({ path }) => path === "/events").length

describe("A message that is sent", () => {
  it.scopedLive("is one signed event, with exact places in its thread", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const root = (yield* here.send("msg_root", "a root")).body
      const direct = (yield* here.send("msg_direct", "a reply", "msg_root")).body
      const nested = (yield* here.send("msg_nested", "deeper", "msg_direct")).body
      const found = there.journal.accepted
      expect(found.map(({ content, kind, pubkey }) => [content, kind, pubkey])).toEqual([
        ["a root", 9, bridge.publicKey],
        ["a reply", 9, bridge.publicKey],
        ["deeper", 9, bridge.publicKey]
      ])
      const [first, second, third] = found.map(({ tags }) => tags)
      const own = (sent: { readonly deliveryId: string }) => [
        ["client", "muster"],
        ["delivery", sent.deliveryId]
      ]
      expect(first).toEqual([["h", channel], ...own(root)])
      expect(second).toEqual([["h", channel], ["e", root.event.id, "", "reply"], ...own(direct)])
      expect(third).toEqual([
        ["h", channel],
        ["e", root.event.id, "", "root"],
        ["e", direct.event.id, "", "reply"],
        ...own(nested)
      ])
      for (const event of found) expect(yield* Effect.promise(() => judge(event))).toBe(true)
      expect(root).toEqual({
        deliveryId: expect.stringMatching(/^delivery_/),
        status: "success",
        event: {
          id: found[0]?.id,
          pubkey: bridge.publicKey,
          kind: 9,
          createdAt: found[0]?.created_at,
          channelId: channel,
          community: there.host
        }
      })
      expect((yield* here.threads)[0]).toMatchObject({
        squadMessageId: "msg_nested",
        rootSquadMessageId: "msg_root",
        eventId: nested.event.id,
        rootEventId: root.event.id,
        direction: "outbound"
      })
      // What went out comes back over the subscription, and stays outside.
      yield* eventually(here.deliveries("?status=ignored"), (all) => all.length === 3)
      expect(yield* here.squad).toEqual([])
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("is sent once, however often and at once it is asked for", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => here.send("msg_1", "hello")),
        { concurrency: 5 }
      )
      const ids = new Set(answers.map(({ body }) => body.deliveryId))
      expect(ids.size).toBe(1)
      yield* eventually(here.deliveries("?direction=outbound&status=success"), (all) => all.length === 1)
      expect((yield* here.send("msg_1", "another text")).body).toMatchObject({ status: "success" })
      expect(events(there)).toBe(1)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("loses its secrets before it leaves", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const token = `ghp_${"a1B2".repeat(9)}`
      yield* here.send("msg_1", `use ${token} and commit ${"ab12".repeat(10)}`)
      const [event] = there.eventsIn(channel)
      expect(event?.content).not.toContain(token)
      expect(event?.content).toContain("ab12".repeat(10))
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("does not leave without its parent, a mapping, or an adapter that is on", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      expect((yield* here.send("msg_1", "hello", "msg_unknown")).body).toMatchObject({
        status: "blocked",
        reasonCode: "parent_not_mapped",
        event: null
      })
      yield* here.unmap()
      expect((yield* here.send("msg_2", "hello")).body).toMatchObject({
        status: "skipped",
        reasonCode: "no_mapping"
      })
      yield* here.map()
      yield* here.disconnect
      expect((yield* here.send("msg_3", "hello")).body).toMatchObject({
        status: "skipped",
        reasonCode: "adapter_disabled"
      })
      expect(events(there)).toBe(0)
      const statuses = (yield* here.deliveries()).map(({ status }: { status: string }) => status)
      expect(statuses).toEqual(["skipped", "skipped", "blocked"])
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("is asked for in full", () =>
    Effect.gen(function* () {
      const { here } = yield* bridged()
      const good = { target: { kind: "squad", squadMessageId: "msg_1" }, message: "hello", actor: "ann" }
      for (const [field, change] of [
        ["target", { target: undefined }],
        ["target", { target: { kind: "task", squadMessageId: "msg_1" } }],
        ["message", { message: undefined }],
        ["message", { message: 7 }],
        ["message", { message: "  " }],
        ["message", { message: "x".repeat(10_001) }],
        ["actor", { actor: 7 }]
      ] as const) {
        const { body, status } = yield* here.call("POST", "/adapters/community/send", {
          body: { ...good, ...change }
        })
        expect([field, status]).toEqual([field, 400])
        expect(JSON.stringify(body.details)).toContain(field)
      }
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("fails for good when the relay refuses it, and can't be replied to", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.faultNext("/events", { type: "status", status: 400, body: { error: "invalid: no" } })
      expect((yield* here.send("msg_1", "hello")).body).toMatchObject({
        status: "failed",
        reasonCode: "event_refused"
      })
      expect((yield* here.poll).body).toMatchObject({ checked: 0 })
      expect((yield* here.send("msg_2", "hello", "msg_1")).body).toMatchObject({ status: "blocked" })
      expect(events(there)).toBe(1)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("waits when the relay asks for it, and arrives then", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.faultNext("/events", {
        type: "status",
        status: 429,
        body: { error: "rate-limited: quota exceeded; retry in 1s" }
      })
      const sent = (yield* here.send("msg_1", "hello")).body
      expect(sent).toMatchObject({ status: "queued", reasonCode: "rate_limited" })
      yield* eventually(here.deliveries("?squadMessageId=msg_1"), ([one]) => one.status === "success")
      expect(there.eventsIn(channel).map(({ id }) => id)).toEqual([sent.event.id])
    }).pipe(Effect.provide(bridgeWorld()))
  )
})

describe("A message of which nobody knows whether it arrived", () => {
  it.scopedLive("is found when it did, and is not sent again", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.deaf(true)
      there.faultNext("/events", { type: "cut", stored: true })
      const sent = (yield* here.send("msg_1", "hello")).body
      expect(sent).toMatchObject({ status: "delivery_unknown", event: { kind: 9 } })
      const before = there.journal.http.length
      expect((yield* here.poll).body).toMatchObject({ checked: 1, success: 1, resubmitted: 0, failed: 0 })
      const after = there.journal.http.slice(before).map(({ path }) => path)
      expect(after).toContain("/query")
      expect(after).not.toContain("/events")
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("is sent again when it did not, the very same event", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.faultNext("/events", { type: "cut", stored: false })
      const sent = (yield* here.send("msg_1", "hello")).body
      expect(sent.status).toBe("delivery_unknown")
      expect(events(there)).toBe(1)
      expect((yield* here.poll).body).toMatchObject({ checked: 1, success: 1, resubmitted: 1, failed: 0 })
      const [first, second] = there.journal.http.filter(({ path }) => path === "/events")
      expect(second?.body).toBe(first?.body)
      expect((yield* here.deliveries("?squadMessageId=msg_1"))[0]).toMatchObject({
        id: sent.deliveryId,
        status: "success",
        eventId: sent.event.id
      })
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("counts as arrived when it comes back by itself", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.faultNext("/events", { type: "cut", stored: true })
      yield* here.send("msg_1", "hello")
      yield* eventually(here.deliveries("?squadMessageId=msg_1"), ([one]) => one.status === "success")
      expect(yield* here.squad).toEqual([])
    }).pipe(Effect.provide(bridgeWorld()))
  )

  const tampered: ReadonlyArray<
    readonly [what: string, change: Effect.Effect<void, never, Storage | Vault>, reason: string]
  > = [
    [
      "its signature",
      tamperWithEvent((event) => ({ ...event, sig: "a".repeat(128) })),
      "stored_event_invalid"
    ],
    ["its text", tamperWithEvent((event) => ({ ...event, content: "other" })), "stored_event_invalid"],
    ["its id", tamper(sql`UPDATE relay_outgoing SET event_id = ${"b".repeat(64)}`), "stored_event_invalid"],
    [
      "its channel",
      tamper(sql`UPDATE relay_outgoing SET channel_id = '7a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d'`),
      "stored_place_changed"
    ],
    [
      "its community",
      tamper(sql`UPDATE relay_outgoing SET community = 'other.example'`),
      "stored_place_changed"
    ],
    ["everything", tamperWithEvent(() => null), "stored_event_invalid"],
    [
      "its seal",
      tamper(sql`UPDATE relay_outgoing SET event = replace(event, 'v1.', 'v2.')`),
      "stored_event_invalid"
    ],
    ["its seal for none", tamper(sql`UPDATE relay_outgoing SET event = 'null'`), "stored_event_invalid"],
    [
      "its key",
      tamper(sql`UPDATE relay_outgoing SET event = 'v1.0123456789ab.' || substr(event, 17)`),
      "stored_event_unreadable"
    ]
  ]
  for (const [what, change, reason] of tampered) {
    it.scopedLive(`is never used when somebody changed ${what}`, () =>
      Effect.gen(function* () {
        const { here, there } = yield* bridged()
        there.faultNext("/events", { type: "cut", stored: false })
        yield* here.send("msg_1", "hello")
        yield* change
        const before = there.journal.http.length
        expect((yield* here.poll).body).toMatchObject({ checked: 1, failed: 1, resubmitted: 0 })
        expect((yield* here.poll).body).toMatchObject({ checked: 0 })
        const later = there.journal.http.slice(before).filter(({ body }) => body.includes("ids"))
        expect(later).toEqual([])
        expect(events(there)).toBe(1)
        expect((yield* here.deliveries("?squadMessageId=msg_1"))[0]).toMatchObject({
          status: "failed",
          reasonCode: reason
        })
      }).pipe(Effect.provide(bridgeWorld()))
    )
  }

  const moved: ReadonlyArray<readonly [to: string, change: Record<string, unknown>, reason: string]> = [
    ["another community", { expectedCommunity: "other.example" }, "stored_place_changed"],
    [
      "another key",
      { publicKey: alice.publicKey, credentialRef: "env:OTHER_PRIVATE_KEY" },
      "stored_identity_changed"
    ]
  ]
  for (const [to, change, reason] of moved) {
    it.scopedLive(`is not used after the adapter changed to ${to}, then or later`, () => {
      const keys = { RELAY_PRIVATE_KEY: bridge, OTHER_PRIVATE_KEY: alice }
      const secrets = new Map(Object.entries(keys).map(([name, { hex }]) => [name, Redacted.make(hex)]))
      return Effect.gen(function* () {
        const { here, there } = yield* bridged()
        there.faultNext("/events", { type: "cut", stored: false })
        yield* here.send("msg_1", "hello")
        expect((yield* here.put(adapterBody(there.url, change))).status).toBe(200)
        expect((yield* here.poll).body).toMatchObject({ checked: 1, failed: 1 })
        yield* here.put(adapterBody(there.url))
        expect((yield* here.poll).body).toMatchObject({ checked: 0 })
        expect(events(there)).toBe(1)
        expect((yield* here.deliveries("?squadMessageId=msg_1"))[0]).toMatchObject({
          status: "failed",
          reasonCode: reason
        })
      }).pipe(Effect.provide(bridgeWorld({ secrets })))
    })
  }
})

describe("The records of deliveries", () => {
  it.scopedLive("are filtered, counted, and hold no text and no signature", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const { request } = yield* World
      yield* here.send("msg_1", "a secret plan")
      yield* here.send("msg_2", "another", "msg_unknown")
      const all = yield* request(
        "GET",
        "/api/integrations/communication/deliveries?direction=outbound&limit=1",
        {
          as: "read-only"
        }
      )
      expect(all.headers.get("x-total-count")).toBe("2")
      expect(all.body).toHaveLength(1)
      const [event] = there.eventsIn(channel)
      const everything = [
        yield* here.deliveries(),
        yield* here.threads,
        yield* here.health,
        (yield* here.call("GET", "/adapters")).body
      ]
      const text = JSON.stringify(everything)
      for (const hidden of ["a secret plan", event?.sig ?? "no signature", bridge.hex, bridge.nsec])
        expect(text).not.toContain(hidden)
      expect((yield* here.call("GET", "/deliveries?limit=501")).status).toBe(400)
      expect((yield* here.call("GET", "/deliveries?status=lost")).status).toBe(400)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("stay when the adapter is disconnected, and it goes on where it stopped", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      yield* here.send("msg_1", "hello")
      yield* here.disconnect
      yield* there.waitFor(({ openSockets }) => openSockets === 0)
      expect(yield* here.health).toMatchObject({ status: "disabled", canSend: false })
      expect((yield* here.deliveries("?direction=outbound")).length).toBe(1)
      expect((yield* here.call("GET", "/adapters")).body[0]).toMatchObject({
        enabled: false,
        relayHttpUrl: there.url,
        credentialRef: "env:RELAY_PRIVATE_KEY"
      })
      yield* here.put({ kind: "relay", displayName: "Community", enabled: true })
      yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
      expect((yield* here.send("msg_2", "again", "msg_1")).body.status).toBe("success")
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("need a relay that is there when they are settled", () =>
    Effect.gen(function* () {
      const there = yield* relay()
      const here = yield* routes
      yield* here.put(adapterBody(there.url))
      yield* here.map()
      yield* eventually(here.health, ({ canSend }) => canSend)
      yield* there.stop()
      expect((yield* here.send("msg_1", "hello")).body).toMatchObject({
        status: "delivery_unknown",
        reasonCode: "relay_unreachable"
      })
      expect((yield* here.poll).body).toMatchObject({
        checked: 1,
        success: 0,
        reasonCode: "relay_unreachable"
      })
      yield* there.start()
      expect((yield* here.poll).body).toMatchObject({ checked: 1, success: 1, resubmitted: 1 })
      expect(there.eventsIn(channel)).toHaveLength(1)
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
