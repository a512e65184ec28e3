import { Clock, Effect, Redacted, type Scope } from "effect"
import type { Health } from "../../../src/conversations/adapters/Health.ts"
import { type Identity, identities } from "../../support/relay/Keys.ts"
import { relay } from "../../support/relay/Relay.ts"
import type { RelayOptions } from "../../support/relay/Settings.ts"
import type { TestRelay } from "../../support/relay/TestRelay.ts"
import { type Answer, type RequestOptions, World, type WorldOptions, world } from "../../support/World.ts"

/** The channel that the tests talk in, and another one. */
export const channel = "3f8b1c2a-9d4e-4f60-8a71-5b2c3d4e5f60"
export const otherChannel = "7a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"

export const { agent, alice, bob, bridge, owner, stranger } = identities

const root = "/api/integrations/communication"

/** What the adapter of the tests says. */
export const adapterBody = (url: string, more: Record<string, unknown> = {}) => ({
  kind: "relay",
  displayName: "Community",
  enabled: true,
  relayHttpUrl: url,
  publicKey: bridge.publicKey,
  credentialRef: "env:RELAY_PRIVATE_KEY",
  allowLocalhost: true,
  ...more
})

/** A world whose environment holds the key of the bridge. */
export const bridgeWorld = (options: WorldOptions = {}, key: Identity = bridge) =>
  world({ secrets: new Map([["RELAY_PRIVATE_KEY", Redacted.make(key.hex)]]), ...options })

/** Asks again until the answer fits. What never fits fails the test, with the last answer. */
export const eventually = <A, E, R>(
  ask: Effect.Effect<A, E, R>,
  fits: (answer: A) => boolean,
  timeoutMs = 60_000
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const end = (yield* Clock.currentTimeMillis) + timeoutMs
    for (;;) {
      const answer = yield* ask
      if (fits(answer)) return answer
      if ((yield* Clock.currentTimeMillis) > end)
        return yield* Effect.dieMessage(
          `It did not become what was expected: ${JSON.stringify(answer, null, 1)}`
        )
      yield* Effect.sleep("20 millis")
    }
  })

/** The routes of the bridge, as an administrator. */
export const routes = Effect.map(World, ({ request }) => {
  const call = (method: string, path: string, options: RequestOptions = {}): Effect.Effect<Answer> =>
    request(method, `${root}${path}`, { as: "admin", ...options })
  const at = (path: string) => `/adapters/community${path}`
  return {
    call,
    put: (body: unknown) => call("PUT", at(""), { body }),
    health: Effect.map(call("GET", at("/health")), ({ body }): Health => body),
    test: Effect.map(call("POST", at("/test")), ({ body }): Health => body),
    map: (channelId = channel, enabled = true) =>
      call("PUT", at(`/relay/channels/${channelId}`), {
        body: { target: { kind: "squad" }, enabled, actor: "bridge" }
      }),
    unmap: (channelId = channel) => call("POST", at(`/relay/channels/${channelId}/disable`)),
    send: (squadMessageId: string, message: string, replyToSquadMessageId?: string) =>
      call("POST", at("/send"), {
        body: {
          target: { kind: "squad", squadMessageId },
          message,
          actor: "ann",
          ...(replyToSquadMessageId === undefined ? {} : { replyToSquadMessageId })
        }
      }),
    poll: call("POST", at("/poll")),
    disconnect: call("POST", at("/disconnect")),
    deliveries: (query = "") => Effect.map(call("GET", `/deliveries${query}`), ({ body }) => body),
    threads: Effect.map(call("GET", "/mappings"), ({ body }) => body),
    squad: Effect.map(request("GET", "/api/chat/squad?limit=500", { as: "admin" }), ({ body }) => body)
  }
})

export type Routes = Effect.Effect.Success<typeof routes>

/** A relay and an adapter that is connected to it, with its channel mapped and listened to. */
export const bridged = (
  options: RelayOptions = {},
  more: Record<string, unknown> = {}
): Effect.Effect<{ readonly there: TestRelay; readonly here: Routes }, never, World | Scope.Scope> =>
  Effect.gen(function* () {
    const there = yield* relay(options)
    const here = yield* routes
    yield* here.put(adapterBody(there.url, more))
    yield* here.map()
    yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
    return { there, here }
  })
