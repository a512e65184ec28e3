import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { relay } from "../../support/relay/Relay.ts"
import { World, world } from "../../support/World.ts"
import { adapterBody, alice, bridge, bridgeWorld, eventually, routes } from "./Bridged.ts"

const https = (url: string, more: Record<string, unknown> = {}) =>
  adapterBody(url, { allowLocalhost: false, enabled: false, ...more })

describe("An adapter", () => {
  it.scopedLive("is stored by a PUT, which keeps what it does not name and clears what is null", () =>
    Effect.gen(function* () {
      const here = yield* routes
      const first = yield* here.put(
        https("HTTPS://Relay.Example:8443/base/", {
          relayWebSocketUrl: "wss://relay.example:8443/base",
          expectedCommunity: "Relay.Example:8443",
          publicKey: bridge.publicKey.toUpperCase(),
          authTagRef: "env:RELAY_AUTH_TAG",
          command: { executable: "relay-cli", args: ["--version"] }
        })
      )
      expect(first.status).toBe(200)
      expect(first.body).toMatchObject({
        id: "community",
        kind: "relay",
        displayName: "Community",
        enabled: false,
        relayHttpUrl: "https://relay.example:8443/base",
        relayWebSocketUrl: "wss://relay.example:8443/base",
        expectedCommunity: "relay.example:8443",
        publicKey: bridge.publicKey,
        credentialRef: "env:RELAY_PRIVATE_KEY",
        authTagRef: "env:RELAY_AUTH_TAG",
        allowLocalhost: false,
        allowPrivateNetwork: false
      })
      const second = yield* here.put({ kind: "relay", displayName: "Renamed", enabled: false })
      expect(second.body).toEqual({ ...first.body, displayName: "Renamed", updatedAt: second.body.updatedAt })
      const third = yield* here.put({
        kind: "relay",
        displayName: "Renamed",
        enabled: false,
        relayWebSocketUrl: null,
        expectedCommunity: null,
        authTagRef: null,
        command: null
      })
      expect(third.body).toMatchObject({
        relayWebSocketUrl: null,
        expectedCommunity: null,
        authTagRef: null,
        command: null,
        relayHttpUrl: "https://relay.example:8443/base"
      })
      const { body } = yield* here.call("GET", "/adapters")
      expect(body).toEqual([third.body])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused with the name of the field, and what was wrong is not shown", () =>
    Effect.gen(function* () {
      const here = yield* routes
      const secret = "s3cr3t-value"
      const cases: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
        ["kind", { kind: "other" }],
        ["displayName", { displayName: 7 }],
        ["enabled", { enabled: "yes" }],
        ["relayHttpUrl", { relayHttpUrl: "relay.example" }],
        ["relayHttpUrl", { relayHttpUrl: undefined }],
        ["relayHttpUrl", { relayHttpUrl: "ftp://relay.example" }],
        ["relayHttpUrl", { relayHttpUrl: `https://user:${secret}@relay.example` }],
        ["relayHttpUrl", { relayHttpUrl: `https://relay.example/?token=${secret}` }],
        ["relayHttpUrl", { relayHttpUrl: "https://relay.example/?" }],
        ["relayHttpUrl", { relayHttpUrl: `https://relay.example/#${secret}` }],
        ["relayWebSocketUrl", { relayWebSocketUrl: 7 }],
        ["relayWebSocketUrl", { relayWebSocketUrl: `wss://user:${secret}@relay.example` }],
        ["relayWebSocketUrl", { relayWebSocketUrl: `wss://relay.example/?token=${secret}` }],
        ["relayWebSocketUrl", { relayWebSocketUrl: `wss://relay.example/#${secret}` }],
        ["relayWebSocketUrl", { relayWebSocketUrl: "wss://other.example" }],
        ["relayWebSocketUrl", { relayWebSocketUrl: "wss://relay.example:9443" }],
        ["relayWebSocketUrl", { relayWebSocketUrl: "wss://relay.example/y" }],
        ["relayWebSocketUrl", { relayWebSocketUrl: "ws://relay.example" }],
        ["expectedCommunity", { expectedCommunity: "https://relay.example/x" }],
        ["publicKey", { publicKey: bridge.publicKey.slice(1) }],
        ["publicKey", { publicKey: "z".repeat(64) }],
        ["credentialRef", { credentialRef: bridge.hex }],
        ["credentialRef", { credentialRef: bridge.nsec }],
        ["authTagRef", { authTagRef: `["auth","${bridge.publicKey}","","${"a".repeat(128)}"]` }],
        ["allowLocalhost", { allowLocalhost: "true" }],
        ["allowPrivateNetwork", { allowPrivateNetwork: 1 }],
        ["command.args", { command: { executable: "relay-cli", args: "--version" } }],
        ["command.args.0", { command: { executable: "relay-cli", args: [`--token=${secret}`] } }],
        ["command.args.0", { command: { executable: "relay-cli", args: ["--api-key", secret] } }],
        ["command.args.1", { command: { executable: "relay-cli", args: ["-v", bridge.nsec] } }],
        ["command.args.0", { command: { executable: "relay-cli", args: [bridge.hex] } }]
      ]
      for (const [field, change] of cases) {
        const { body, status } = yield* here.put(https("https://relay.example", change))
        const text = JSON.stringify(body)
        expect([field, status, body.code]).toEqual([field, 400, "VALIDATION_ERROR"])
        expect(text).toContain(`"${field}`)
        for (const value of [secret, bridge.hex, bridge.nsec, "a".repeat(128)])
          expect(text).not.toContain(value)
      }
      expect((yield* here.call("GET", "/adapters")).body).toEqual([])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("reaches what is not public with its own flag only, and some addresses never", () =>
    Effect.gen(function* () {
      const here = yield* routes
      const both = { allowLocalhost: true, allowPrivateNetwork: true }
      const refused: ReadonlyArray<readonly [string, Record<string, boolean>]> = [
        ["http://public.example", {}],
        ["http://8.8.8.8", both],
        ["https://127.0.0.1", {}],
        ["https://localhost", {}],
        ["https://relay.localhost", {}],
        ["https://127.0.0.1", { allowPrivateNetwork: true }],
        ["https://[::1]", {}],
        ["https://0x7f.1", {}],
        ["https://2130706433", {}],
        ["https://[::ffff:127.0.0.1]", {}],
        ["https://10.0.0.5", {}],
        ["https://10.0.0.5", { allowLocalhost: true }],
        ["https://172.16.3.4", {}],
        ["https://192.168.1.1", {}],
        ["https://[fd00::1]", {}],
        ["https://169.254.1.1", both],
        ["https://[fe80::1]", both],
        ["http://169.254.169.254", both],
        ["https://metadata.google.internal", both],
        ["https://100.64.0.1", both],
        ["https://0.0.0.0", both],
        ["https://224.0.0.1", both],
        ["https://[64:ff9b::7f00:1]", both],
        ["https://[2002:7f00:1::]", both]
      ]
      for (const [url, flags] of refused) {
        const { body, status } = yield* here.put(https(url, flags))
        expect([url, status]).toEqual([url, 400])
        expect(JSON.stringify(body.details)).toContain("relayHttpUrl")
      }
      const accepted: ReadonlyArray<readonly [string, Record<string, boolean>]> = [
        ["https://relay.example", {}],
        ["wss://relay.example", {}],
        ["https://8.8.8.8", {}],
        ["http://127.0.0.1:3002", { allowLocalhost: true }],
        ["http://localhost:3002", { allowLocalhost: true }],
        ["http://10.0.0.5", { allowPrivateNetwork: true }],
        ["https://[fd00::1]", { allowPrivateNetwork: true }]
      ]
      for (const [url, flags] of accepted) {
        expect([url, (yield* here.put(https(url, flags))).status]).toEqual([url, 200])
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("needs an id of its own form, and is not there before it is put", () =>
    Effect.gen(function* () {
      const here = yield* routes
      const { request } = yield* World
      for (const id of ["a b", "a.b", "ü", "x".repeat(65)]) {
        const { status } = yield* here.call("PUT", `/adapters/${encodeURIComponent(id)}`, {
          body: https("https://relay.example")
        })
        expect([id, status]).toEqual([id, 400])
      }
      for (const [method, path] of [
        ["GET", "/health"],
        ["POST", "/test"],
        ["POST", "/poll"],
        ["POST", "/disconnect"],
        ["GET", "/relay/channels"]
      ] as const) {
        const { body, status } = yield* here.call(method, `/adapters/nobody${path}`)
        expect([path, status, body.code]).toEqual([path, 404, "NOT_FOUND"])
      }
      const v1 = yield* request("GET", "/api/v1/integrations/communication/adapters", { as: "admin" })
      expect(v1.body).toEqual([])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is written by administrators and read by everybody who may read settings", () =>
    Effect.gen(function* () {
      const here = yield* routes
      const body = https("https://relay.example")
      expect((yield* here.call("PUT", "/adapters/community", { as: null, body })).status).toBe(401)
      expect((yield* here.call("PUT", "/adapters/community", { as: "agent", body })).status).toBe(403)
      expect((yield* here.put(body)).status).toBe(200)
      for (const path of ["/adapters", "/adapters/community/health", "/mappings", "/deliveries"]) {
        expect((yield* here.call("GET", path, { as: null })).status).toBe(401)
        expect((yield* here.call("GET", path, { as: "read-only" })).status).toBe(200)
        expect((yield* here.call("GET", path, { as: "agent" })).status).toBe(200)
      }
      for (const path of ["/test", "/send", "/poll", "/disconnect"]) {
        expect((yield* here.call("POST", `/adapters/community${path}`, { as: "agent" })).status).toBe(403)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("with a key that is not the configured one signs nothing, and says why", () =>
    Effect.gen(function* () {
      const there = yield* relay()
      const here = yield* routes
      yield* here.put(adapterBody(there.url))
      yield* here.map()
      const health = yield* here.health
      expect(health).toMatchObject({ status: "unhealthy", reasonCode: "public_key_mismatch", canSend: false })
      expect((yield* here.send("msg_1", "hello")).body).toMatchObject({ status: "blocked", event: null })
      expect(there.journal.http.every(({ authEvent }) => authEvent === undefined)).toBe(true)
      expect(there.journal.sockets).toBe(0)
    }).pipe(Effect.provide(bridgeWorld({}, alice)))
  )

  it.scopedLive("without its variable is unhealthy, and works with the key in its nsec form", () =>
    Effect.gen(function* () {
      const here = yield* routes
      const there = yield* relay()
      yield* here.put(adapterBody(there.url, { credentialRef: "env:NOT_LISTED" }))
      expect(yield* here.health).toMatchObject({ status: "unhealthy", reasonCode: "credential_missing" })
      yield* here.put(adapterBody(there.url))
      yield* here.map()
      yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
      expect((yield* here.send("msg_1", "hello")).body.status).toBe("success")
    }).pipe(Effect.provide(bridgeWorld({}, { ...bridge, hex: bridge.nsec })))
  )
})
