import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { message, ownerTag } from "../../support/relay/Drafts.ts"
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
  owner,
  routes
} from "../relay/Bridged.ts"

describe("The bridge at a relay", () => {
  it.scopedLive("authenticates with one signed event, and signs messages, requests and nothing else", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const { request } = yield* World
      yield* here.send("msg_1", "hello")
      yield* there.publish(message({ by: alice, channel, content: "@codex please create a task" }))
      yield* eventually(here.squad, (all) => all.length === 1)
      expect(there.journal.sockets).toBe(1)
      expect(there.journal.auths).toHaveLength(1)
      const [auth] = there.journal.auths
      expect(auth).toMatchObject({
        accepted: true,
        event: { kind: 22242, content: "", pubkey: bridge.publicKey }
      })
      expect(auth?.event.tags).toEqual([
        ["relay", there.wsUrl],
        ["challenge", expect.stringMatching(/^[0-9a-f]+$/)]
      ])
      for (const { authEvent, path } of there.journal.http) {
        if (path !== "/query" && path !== "/events") continue
        expect(authEvent).toMatchObject({ kind: 27235, pubkey: bridge.publicKey })
        expect(authEvent?.tags).toContainEqual(["u", `${there.url}${path}`])
      }
      const sent = there.journal.frames
        .filter(({ direction }) => direction === "in")
        .map(({ text }) => JSON.parse(text)[0])
      expect(new Set(sent)).toEqual(new Set(["AUTH", "REQ"]))
      const ours = there.journal.accepted.filter(({ pubkey }) => pubkey === bridge.publicKey)
      expect(ours.map(({ kind }) => kind)).toEqual([9])
      // A conversation is no command: what was said in the channel has made nothing of its own.
      expect((yield* request("GET", "/api/tasks")).body.tasks).toEqual([])
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("shows the word of its owner, and is let in through it", () =>
    Effect.gen(function* () {
      const tag = ownerTag({ owner, agent: bridge })
      const secrets = new Map([
        ["RELAY_PRIVATE_KEY", Redacted.make(bridge.hex)],
        ["RELAY_AUTH_TAG", Redacted.make(JSON.stringify(tag))]
      ])
      yield* Effect.gen(function* () {
        const { there } = yield* bridged({ members: [owner.publicKey] }, { authTagRef: "env:RELAY_AUTH_TAG" })
        expect(there.journal.auths[0]?.event.tags).toContainEqual(tag)
      }).pipe(Effect.provide(bridgeWorld({ secrets })))
    })
  )

  it.scopedLive("does not show an owner's word that was given to another key, or is over", () =>
    Effect.gen(function* () {
      const there = yield* relay()
      const words: ReadonlyArray<readonly [string, string]> = [
        [JSON.stringify(ownerTag({ owner, agent: alice })), "auth_tag_invalid"],
        [
          JSON.stringify(ownerTag({ owner, agent: bridge, conditions: "created_at<1700000000" })),
          "auth_tag_outside_its_time"
        ]
      ]
      for (const [word, reason] of words) {
        const secrets = new Map([
          ["RELAY_PRIVATE_KEY", Redacted.make(bridge.hex)],
          ["RELAY_AUTH_TAG", Redacted.make(word)]
        ])
        yield* Effect.gen(function* () {
          const here = yield* routes
          yield* here.put(adapterBody(there.url, { authTagRef: "env:RELAY_AUTH_TAG" }))
          expect(yield* here.health).toMatchObject({
            status: "unhealthy",
            reasonCode: reason,
            canSend: false
          })
        }).pipe(Effect.provide(bridgeWorld({ secrets })))
      }
      expect(there.journal.sockets).toBe(0)
    })
  )

  it.scopedLive("keeps the path and the port of its address", () =>
    Effect.gen(function* () {
      const there = yield* relay({ pathPrefix: "/base" })
      const here = yield* routes
      yield* here.put(adapterBody(there.url))
      expect((yield* here.health).status).toBe("unhealthy")
      expect(new Set(there.journal.http.map(({ path }) => path))).toEqual(new Set(["/base/", "/base/query"]))
      // Behind its proxy it sees no path and expects none to be signed; one that sees it lets the bridge in.
      there.serve("/base/query", (response) => {
        response.end("[]")
      })
      yield* here.test
      yield* there.waitFor(({ upgrades }) => upgrades.length > 0)
      expect(new Set(there.journal.upgrades.map(({ path }) => path))).toEqual(new Set(["/base"]))
      expect((yield* here.health).resolved).toEqual({ http: there.url, webSocket: there.wsUrl })
      expect(there.url.endsWith("/base")).toBe(true)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("is not there while its adapter is off", () =>
    Effect.gen(function* () {
      const there = yield* relay()
      const here = yield* routes
      yield* here.put(adapterBody(there.url, { enabled: false }))
      yield* here.map()
      expect(yield* here.health).toMatchObject({ status: "disabled", reasonCode: "adapter_disabled" })
      yield* here.test
      expect(there.journal.sockets).toBe(0)
      expect((yield* here.send("msg_1", "hello")).body.status).toBe("skipped")
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("goes on from its cursor when it comes back", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const said = message({ by: alice, channel, content: "hello" })
      yield* there.publish(said)
      yield* eventually(here.health, ({ runtime }) => runtime?.cursor.eventId === said.id)
      const before = there.journal.requests.length
      yield* here.unmap()
      yield* here.map()
      yield* there.waitFor(({ requests }) => requests.length > before)
      const since = there.journal.requests.at(-1)?.filters[0]?.since ?? 0
      expect(since).toBeGreaterThan(said.created_at - 2_000)
      expect(since).toBeLessThanOrEqual(said.created_at - 900)
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
