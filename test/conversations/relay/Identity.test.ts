import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Health } from "../../../src/conversations/adapters/Health.ts"
import { relay } from "../../support/relay/Relay.ts"
import { temporaryDirectory, worldIn } from "../../support/World.ts"
import { adapterBody, bob, bridged, bridgeWorld, channel, eventually, routes } from "./Bridged.ts"

const statusOf = ({ checks }: Health, id: string) => checks.find((check) => check.id === id)?.status

const starts: ReadonlyArray<readonly [what: string, key: string | undefined, reasonCode: string]> = [
  ["without the key", undefined, "credential_missing"],
  ["with another key", bob.hex, "public_key_mismatch"],
  ["with what is no key", "not a key", "credential_invalid"]
]

describe("A board that starts beside a relay", () => {
  for (const [what, key, reasonCode] of starts)
    it.scopedLive(`${what} is not healthy from its first moment on`, () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const there = yield* relay()
        yield* Effect.gen(function* () {
          const here = yield* routes
          yield* here.put(adapterBody(there.url))
          yield* here.map()
          const healthy = yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
          assert.strictEqual(statusOf(healthy, "configuredIdentity"), "verified")
        }).pipe(Effect.provide(worldIn(directory)))
        const requests = there.journal.http.length
        yield* Effect.gen(function* () {
          const here = yield* routes
          const health = yield* here.health
          assert.deepInclude(health, {
            status: "unhealthy",
            reasonCode,
            canSend: false,
            canReceiveReplies: false
          })
          assert.strictEqual(statusOf(health, "configuredIdentity"), "failed")
          assert.strictEqual(statusOf(health, "authentication"), "unverified")
          assert.strictEqual(statusOf(health, "relayIdentity"), "verified")
          const { body } = yield* here.send("msg_1", "hello")
          assert.deepInclude(body, { status: "blocked", reasonCode })
          assert.strictEqual((yield* here.call("GET", "/adapters/community/relay/definitions")).status, 409)
        }).pipe(
          Effect.provide(
            worldIn(directory, {
              secrets: key === undefined ? new Map() : new Map([["RELAY_PRIVATE_KEY", Redacted.make(key)]])
            })
          )
        )
        const signed = there.journal.http.slice(requests).filter(({ authEvent }) => authEvent !== undefined)
        assert.deepStrictEqual(signed, [], "nothing is signed with another key")
      })
    )

  it.scopedLive("looks at the relay before each connection, also soon after the last look", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const looks = () => there.journal.http.filter(({ path }) => path === "/").length
      const before = looks()
      yield* there.set({ version: "9.9.9" })
      there.dropSockets()
      const health = yield* eventually(here.health, ({ status }) => status === "unsupported")
      assert.strictEqual(health.reasonCode, "relay_version_unsupported")
      assert.isFalse(health.canSend)
      assert.isAbove(looks(), before)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("says that a variable is set and not listed", () =>
    Effect.gen(function* () {
      const there = yield* relay()
      const here = yield* routes
      for (const [field, reference, reasonCode] of [
        ["credentialRef", "env:MY_RELAY_KEY", "credential_unlisted"],
        ["credentialRef", "env:NOBODYS_KEY", "credential_missing"],
        ["authTagRef", "env:MY_RELAY_KEY", "auth_tag_unlisted"],
        ["authTagRef", "env:NOBODYS_KEY", "auth_tag_missing"]
      ] as const) {
        yield* here.put(adapterBody(there.url, { authTagRef: null, [field]: reference }))
        const health = yield* here.test
        assert.deepStrictEqual([reference, health.reasonCode], [reference, reasonCode])
        if (reasonCode.endsWith("unlisted")) assert.include(health.message, "SERVICE_SECRETS")
      }
    }).pipe(Effect.provide(bridgeWorld({ variables: new Set(["MY_RELAY_KEY"]) })))
  )
})

describe("The address of a relay", () => {
  it.scopedLive("is shown without what may be a secret in its path, and keeps it", () =>
    Effect.gen(function* () {
      const secret = "s3cr3t-Path_Token"
      const there = yield* relay({ pathPrefix: `/base/${secret}/v1` })
      const here = yield* routes
      const shown = `${new URL(there.url).origin}/base/***/v1`
      const put = yield* here.put(adapterBody(there.url, { relayWebSocketUrl: there.wsUrl }))
      yield* here.map(channel)
      const health = yield* here.health
      const webSocket = shown.replace("http", "ws")
      assert.deepStrictEqual(health.configured, { http: shown, webSocket })
      assert.deepStrictEqual(health.resolved, { http: shown, webSocket })
      const listed = (yield* here.call("GET", "/adapters")).body
      const said = [
        put.body,
        listed,
        health,
        yield* here.test,
        (yield* here.send("msg_1", "hello")).body,
        (yield* here.poll).body,
        yield* here.deliveries(),
        yield* here.threads,
        (yield* here.disconnect).body
      ]
      assert.notInclude(JSON.stringify(said), secret)
      // Who gives back what they were shown changes nothing.
      const { createdAt: _created, id: _id, updatedAt: _updated, ...same } = listed[0]
      const again = yield* here.put(same)
      assert.deepInclude(again.body, { relayHttpUrl: shown, relayWebSocketUrl: webSocket })
      const before = there.journal.http.length
      yield* here.test
      const asked = there.journal.http.slice(before).map(({ path }) => path)
      assert.isAbove(asked.length, 0)
      assert.isTrue(asked.every((path) => path.startsWith(`/base/${secret}/v1`)))
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
