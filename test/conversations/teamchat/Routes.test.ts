import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { target } from "../../support/Target.ts"
import { type RequestOptions, World, world } from "../../support/World.ts"

const call = (method: string, path: string, options: RequestOptions = {}) =>
  Effect.flatMap(World, ({ request }) =>
    request(method, `/api/integrations/communication${path}`, { as: "admin", ...options })
  )

const body = {
  kind: "teamchat",
  displayName: "The team",
  enabled: true,
  deliveryMode: "webhook",
  destinationType: "channel",
  allowLocalhost: true
}

const put = (more: object = {}) => call("PUT", "/adapters/team", { body: { ...body, ...more } })

const request = {
  target: { kind: "squad", squadMessageId: "msg_1" },
  message: "The build is green",
  actor: "codex"
}

describe("the routes of a team chat", () => {
  it.scopedLive("configure it, look at it, send through it, and never show its secrets", () =>
    Effect.gen(function* () {
      const to = yield* target()
      const answers = [
        yield* put({ webhookUrl: `${to.url}/in?sig=hunter2`, credential: "hunter3" }),
        yield* call("GET", "/adapters"),
        yield* call("GET", "/adapters/team/health"),
        yield* call("POST", "/adapters/team/test"),
        yield* call("POST", "/adapters/team/send", { body: request }),
        yield* call("GET", "/deliveries?adapterId=team"),
        yield* put({ webhookUrl: `${to.url}/in?sig=hunter4 ` }),
        yield* put({ webhookUrl: "https://u:hunter5@example.com/?sig=hunter6" }),
        yield* put({ credential: "hunter7 hunter8" }),
        yield* call("POST", "/adapters/team/disconnect")
      ]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200, 200, 200, 200, 400, 400, 200]
      )
      assert.notInclude(JSON.stringify(answers.map((answer) => answer.body)), "hunter")
      const [adapter, adapters, health, test, sent, deliveries] = answers.map((answer) => answer.body)
      assert.deepInclude(adapter, { kind: "teamchat", webhookUrlConfigured: true, hasCredential: true })
      assert.deepStrictEqual(adapters, [adapter])
      assert.deepInclude(health, { kind: "teamchat", status: "healthy", canSend: true })
      assert.deepStrictEqual(test, health)
      assert.deepInclude(sent, { status: "success", event: null })
      assert.deepInclude(deliveries[0], { id: sent.deliveryId, status: "success" })
      assert.strictEqual((yield* Queue.take(to.arrivals)).headers.authorization, "Bearer hunter3")
      assert.strictEqual(yield* Queue.size(to.arrivals), 0)
      assert.deepInclude(answers.at(-1)?.body, { enabled: false, hasCredential: true })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("refuse what is wrong, and what is for relays alone", () =>
    Effect.gen(function* () {
      yield* put()
      for (const wrong of [{ deliveryMode: "poll" }, { destinationType: "user" }, { displayName: " " }]) {
        assert.strictEqual((yield* put(wrong)).status, 400, JSON.stringify(wrong))
      }
      const channel = "/relay/channels/3f8b1c2a-9d4e-4f60-8a71-5b2c3d4e5f60"
      const mapping = { target: { kind: "squad" }, enabled: true, actor: "bridge" }
      const relayOnly: ReadonlyArray<readonly [string, string, unknown?]> = [
        ["POST", "/poll"],
        ["GET", "/relay/channels"],
        ["PUT", channel, mapping],
        ["POST", `${channel}/disable`],
        ["GET", "/relay/workflow-triggers"],
        ["GET", "/relay/workflow-trigger-audits"],
        ["POST", "/relay/workflow-triggers", { mappingId: "map_1", workflowId: "deploy" }]
      ]
      for (const [method, path, sent] of relayOnly) {
        const answer = yield* call(method, `/adapters/team${path}`, { body: sent })
        assert.strictEqual(answer.status, 409, path)
        assert.deepInclude(answer.body, {
          code: "CONFLICT",
          details: { adapterId: "team", kind: "teamchat" }
        })
      }
      const relay = {
        kind: "relay",
        displayName: "Relay",
        enabled: false,
        relayHttpUrl: "https://example.com"
      }
      assert.strictEqual((yield* call("PUT", "/adapters/team", { body: relay })).status, 409)
    }).pipe(Effect.provide(world()))
  )
})
