import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { iso } from "../../../src/kernel/Time.ts"
import { deletion5, deletion9005, edit, message, reply } from "../../support/relay/Drafts.ts"
import { seconds, sign } from "../../support/relay/Keys.ts"
import { relay } from "../../support/relay/Relay.ts"
import { listen } from "../../support/Socket.ts"
import { temporaryDirectory, World, worldIn } from "../../support/World.ts"
import {
  adapterBody,
  alice,
  bob,
  bridge,
  bridged,
  bridgeWorld,
  channel,
  eventually,
  routes
} from "../relay/Bridged.ts"

interface Said {
  readonly id: string
  readonly message: string
  readonly replyToId?: string
}

const texts = (all: ReadonlyArray<Said>) => all.map(({ message }) => message)

describe("An event from a relay", () => {
  it.scopedLive(
    "is subscribed to by exactly four kinds of one channel, under a name that is never used twice",
    () =>
      Effect.gen(function* () {
        const { there } = yield* bridged()
        there.closeSubscriptions("error: database error")
        yield* there.waitFor(({ requests }) => requests.length >= 2)
        const [first, second] = there.journal.requests
        for (const request of [first, second]) {
          expect(request?.filters).toHaveLength(1)
          expect([...(request?.filters[0]?.kinds ?? [])].sort((a, b) => a - b)).toEqual([5, 9, 9005, 40003])
          expect(request?.filters[0]).toMatchObject({ "#h": [channel] })
        }
        expect(first?.id).not.toBe(second?.id)
        expect(there.journal.sockets).toBe(1)
      }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("becomes one message that says where it comes from, and is streamed like any other", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const { baseUrl } = yield* World
      const stream = yield* listen(baseUrl)
      const hello = message({ by: alice, channel, content: "hello @codex <script>alert(1)</script>\u0007" })
      yield* there.publish(hello)
      const told = yield* stream.until(({ type }) => type === "squad:message")
      expect(told.message).toMatchObject({
        id: `msg_relay_${hello.id}`,
        agent: `relay:${alice.publicKey.slice(0, 8)}`
      })
      const [heard] = yield* here.squad
      expect(heard).toEqual(told.message)
      expect(heard.message).toBe("hello @codex  ")
      expect(heard.mentions).toEqual([{ target: "codex", kind: "actor" }])
      expect(heard.external).toEqual({
        provider: "relay",
        authorPubkey: alice.publicKey,
        sourceTimestamp: iso(hello.created_at * 1_000),
        kind: 9,
        channelId: channel,
        community: there.host,
        eventId: hello.id,
        link: `relay://message?community=${encodeURIComponent(there.host)}&channel=${channel}&id=${hello.id}`
      })
      expect((yield* here.threads)[0]).toMatchObject({ eventId: hello.id, direction: "inbound" })
      const { cursor } =
        (yield* eventually(here.health, ({ runtime }) => runtime?.cursor.eventId === hello.id)).runtime ?? {}
      expect(cursor).toMatchObject({ createdAt: hello.created_at, eventId: hello.id })
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("comes once, however often it is sent, and two of one second are two", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const at = seconds()
      const first = message({ by: alice, channel, content: "first", at })
      const second = message({ by: alice, channel, content: "second", at })
      yield* there.publish(first)
      yield* there.publish(second)
      there.inject(first)
      there.inject(first)
      yield* eventually(here.deliveries("?status=replayed"), ([one]) => one?.times === 2)
      expect(new Set(texts(yield* here.squad))).toEqual(new Set(["first", "second"]))
      expect(yield* here.squad).toHaveLength(2)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive(
    "that edits or deletes is told beside the message, whose text stays, whichever comes first",
    () =>
      Effect.gen(function* () {
        const { here, there } = yield* bridged()
        const at = seconds() - 10
        const early = message({ by: alice, channel, content: "edited before it came", at })
        const change = edit({ by: alice, target: early, content: "new words" })
        there.inject(change)
        yield* eventually(here.deliveries("?direction=inbound"), (all) => all.length === 1)
        expect(yield* here.squad).toEqual([])
        const said = message({ by: alice, channel, content: "original words", at })
        yield* there.publish(early)
        yield* there.publish(said)
        yield* eventually(here.squad, (all) => all.length === 2)
        const removed = deletion9005({ by: alice, target: said })
        const withdrawn = deletion5({ by: alice, target: early })
        there.inject(removed)
        there.inject(withdrawn)
        const all = yield* eventually(
          here.squad,
          (found) =>
            found.filter(({ external }: { external: object }) => "deletions" in external).length === 2
        )
        const [one, two] = ["edited before it came", "original words"].map((text) =>
          all.find(({ message }: Said) => message === text)
        )
        expect(one.external).toMatchObject({
          edits: [
            { eventId: change.id, targetEventId: early.id, authorPubkey: alice.publicKey, kind: 40003 }
          ],
          deletions: [{ eventId: withdrawn.id, kind: 5 }]
        })
        expect(two.external).toMatchObject({
          deletions: [{ eventId: removed.id, targetEventId: said.id, kind: 9005 }]
        })
        const records = yield* here.deliveries("?direction=inbound")
        const edited = records.find(({ eventId }: { eventId: string }) => eventId === change.id)
        expect(edited).toMatchObject({
          status: "success",
          reasonCode: "edit_recorded",
          detail: `target ${early.id}`
        })
        expect(JSON.stringify(records)).not.toContain("new words")
      }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive(
    "of another kind or form is ignored and recorded without its content, and what is no event only counted",
    () =>
      Effect.gen(function* () {
        const { here, there } = yield* bridged()
        const { request } = yield* World
        const odd = [
          sign(alice, { kind: 7, tags: [["h", channel]], content: "+hidden" }),
          sign(alice, { kind: 14, tags: [["h", channel]], content: "hidden" }),
          sign(alice, { kind: 1063, tags: [["h", channel]], content: "hidden" }),
          sign(alice, { kind: 12345, tags: [["h", channel]], content: "hidden" }),
          sign(alice, {
            kind: 9,
            tags: [
              ["h", channel],
              ["e", "x"]
            ],
            content: "hidden"
          }),
          sign(alice, { kind: 9, tags: [["h", "7a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"]], content: "hidden" }),
          sign(alice, { kind: 9, tags: [], content: "hidden" })
        ]
        for (const event of odd) there.inject(event)
        const ignored = yield* eventually(
          here.deliveries("?status=ignored"),
          (all) => all.length === odd.length
        )
        expect(new Set(ignored.map(({ reasonCode }: { reasonCode: string }) => reasonCode))).toEqual(
          new Set(["unknown_kind", "malformed", "wrong_channel"])
        )
        const good = message({ by: alice, channel, content: "hidden" })
        const forged: ReadonlyArray<object | string> = [
          { ...good, content: "changed" },
          { ...good, sig: "0".repeat(128) },
          { ...good, id: "0".repeat(64) },
          { nothing: true },
          "7"
        ]
        for (const event of forged) there.inject(event)
        there.say("no json at all")
        expect(
          (yield* eventually(here.health, ({ rejectedCount }) => rejectedCount === forged.length)).status
        ).toBe("healthy")
        expect(yield* here.squad).toEqual([])
        expect(yield* here.deliveries("?direction=inbound")).toHaveLength(odd.length)
        const audit = yield* request("GET", "/api/audit?resource=relay-event&limit=100", { as: "admin" })
        expect(JSON.stringify(audit.body)).toContain("relay-event.ignored")
        expect(JSON.stringify(audit.body)).not.toContain("hidden")
        yield* there.publish(good)
        yield* eventually(here.squad, (all) => all.length === 1)
      }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive(
    "that answers what is not here waits for it, also over a restart, and follows it in order",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const secrets = new Map([["RELAY_PRIVATE_KEY", Redacted.make(bridge.hex)]])
        const there = yield* relay()
        const at = seconds() - 60
        const root = message({ by: alice, channel, content: "root", at })
        const replies = [3, 1, 2].map((n) => reply({ by: bob, to: root, content: `reply ${n}`, at: at + n }))
        const deeper = reply({ by: alice, to: replies[1] ?? root, content: "deeper", at: at + 4 })
        const orphan = reply({
          by: bob,
          to: message({ by: alice, channel, content: "never told", at }),
          content: "to nobody",
          at: at + 9
        })
        const inWorld = <A, E>(work: Effect.Effect<A, E, World>) =>
          Effect.scoped(Effect.provide(work, worldIn(directory, { secrets })))
        yield* inWorld(
          Effect.gen(function* () {
            const here = yield* routes
            yield* here.put(adapterBody(there.url))
            yield* here.map()
            yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
            for (const event of [deeper, ...replies, orphan]) there.inject(event)
            const health = yield* eventually(
              here.health,
              ({ runtime }) => runtime?.cursor.pendingReplies === 5
            )
            expect(health.runtime?.cursor.eventId).toBeNull()
            expect(yield* here.squad).toEqual([])
          })
        )
        const requests = there.journal.requests.length
        yield* inWorld(
          Effect.gen(function* () {
            const here = yield* routes
            yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
            // What is asked for anew begins before the first reply that waits.
            for (const { filters } of there.journal.requests.slice(requests))
              expect(filters[0]?.since).toBeLessThanOrEqual(at)
            expect((yield* here.health).runtime?.cursor.pendingReplies).toBe(5)
            yield* there.publish(root)
            const all = yield* eventually(here.squad, (found) => found.length === 5)
            expect(texts(all)).toEqual(["root", "reply 1", "reply 2", "reply 3", "deeper"])
            const [first, one] = all
            expect(all.map(({ replyToId }: Said) => replyToId)).toEqual([
              undefined,
              first.id,
              first.id,
              first.id,
              one.id
            ])
            expect((yield* here.health).runtime?.cursor.pendingReplies).toBe(1)
          })
        )
      })
  )

  it.scopedLive("that was missed while the bridge was away comes when it is back, and nothing twice", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      yield* there.publish(message({ by: alice, channel, content: "before" }))
      yield* eventually(here.squad, (all) => all.length === 1)
      yield* here.disconnect
      yield* there.waitFor(({ openSockets }) => openSockets === 0)
      yield* there.publish(message({ by: alice, channel, content: "meanwhile", at: seconds() - 300 }))
      yield* here.put({ kind: "relay", displayName: "Community", enabled: true })
      expect(texts(yield* eventually(here.squad, (all) => all.length === 2))).toEqual(["before", "meanwhile"])
      there.dropSockets()
      yield* there.publish(message({ by: alice, channel, content: "after the drop" }))
      yield* eventually(here.squad, (all) => all.length === 3)
      expect((yield* here.deliveries("?status=replayed")).length).toBe(0)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("from the future leaves the cursor in the present", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const now = message({ by: alice, channel, content: "now" })
      yield* there.publish(message({ by: alice, channel, content: "from tomorrow", at: seconds() + 600 }))
      yield* there.publish(now)
      yield* eventually(here.squad, (all) => all.length === 2)
      const health = yield* eventually(here.health, ({ runtime }) => runtime?.cursor.eventId !== null)
      expect(health.runtime?.cursor).toMatchObject({ createdAt: now.created_at, eventId: now.id })
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("is brought in by one of two adapters on the same channel", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      yield* here.call("PUT", "/adapters/second", { body: adapterBody(there.url) })
      yield* here.call("PUT", `/adapters/second/relay/channels/${channel}`, {
        body: { target: { kind: "squad" }, enabled: true, actor: "second" }
      })
      yield* there.waitFor(({ requests }) => requests.length >= 2)
      yield* there.publish(message({ by: alice, channel, content: "once" }))
      yield* eventually(here.squad, (all) => all.length === 1)
      yield* eventually(here.deliveries("?direction=inbound"), (all) => all.length >= 1)
      expect(yield* here.squad).toHaveLength(1)
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
