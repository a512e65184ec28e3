import { Effect } from "effect"
import { type Ask, given, just, type Scenario } from "./Scenario.ts"

const at = "/api/integrations/communication/adapters/demo"
const channelId = "3f8b1c2a-9d4e-4f60-8a71-5b2c3d4e5f60"

const adapter = {
  kind: "relay",
  displayName: "Community",
  enabled: false,
  relayHttpUrl: "http://127.0.0.1:9",
  allowLocalhost: true
}

const mapping = { target: { kind: "squad" }, enabled: true, actor: "bridge" }

const message = {
  target: { kind: "squad", squadMessageId: "msg_1" },
  message: "Hello",
  actor: "ann"
}

const anAdapter = (ask: Ask) => ask("PUT", at, { as: "admin", body: adapter })
const aMapping = (ask: Ask) =>
  Effect.zipRight(
    anAdapter(ask),
    ask("PUT", `${at}/relay/channels/${channelId}`, { as: "admin", body: mapping })
  )
const aMessage = (ask: Ask) =>
  Effect.zipRight(anAdapter(ask), ask("POST", `${at}/send`, { as: "admin", body: message }))

const team = {
  kind: "teamchat",
  displayName: "Team",
  enabled: true,
  webhookUrl: "https://chat.example.com/hook"
}

/** A team chat, and a message of the squad chat that somebody replies to there. */
const aQuestion = (ask: Ask) =>
  Effect.zipRight(
    ask("PUT", "/api/integrations/communication/adapters/team", { as: "admin", body: team }),
    Effect.map(
      ask("POST", "/api/chat/squad", { as: "admin", body: { agent: "codex", message: "Shall I?" } }),
      ({ body }) => body
    )
  )

const replyTo = (squadMessageId: string) => ({
  externalThreadId: "thread-1",
  externalReplyId: "reply-1",
  actor: "U1",
  displayName: "Ann Example",
  message: "Yes, please",
  target: { kind: "squad", squadMessageId }
})

const ruleOf = (mappingId: string) => ({ mappingId, workflowId: "deploy", contentIncludes: "deploy" })
const aRule = (ask: Ask) =>
  Effect.flatMap(aMapping(ask), (mapping) =>
    Effect.map(
      ask("POST", `${at}/relay/workflow-triggers`, { as: "admin", body: ruleOf(mapping.body.id) }),
      ({ body }) => body
    )
  )

const path = { adapterId: "demo" }
const channelPath = { ...path, channelId }

/** The adapter of these scenarios is off, and its relay is nowhere: nothing is sent. */
export const communication: Readonly<Record<string, Scenario>> = {
  "communication.adapters": given(anAdapter, () => ({})),
  "communication.putAdapter": just({ path, body: adapter }),
  "communication.removeAdapter": given(anAdapter, () => ({ path })),
  "communication.health": given(anAdapter, () => ({ path })),
  "communication.test": given(anAdapter, () => ({ path })),
  "communication.send": given(anAdapter, () => ({ path, body: message })),
  "communication.poll": given(anAdapter, () => ({ path, links: 0 })),
  "communication.replies": given(aQuestion, ({ id }) => ({
    path: { adapterId: "team" },
    body: replyTo(id),
    // The message, and that it came in.
    links: 2
  })),
  "communication.disconnect": given(
    (ask) => ask("PUT", at, { as: "admin", body: { ...adapter, enabled: true } }),
    () => ({ path })
  ),
  "communication.threads": given(aMessage, () => ({ query: "?limit=5&adapterId=demo" })),
  "communication.deliveries": given(aMessage, () => ({ query: "?limit=5&status=skipped" })),
  "harnessCompatibility.get": just(),
  "relayChannels.list": given(aMapping, () => ({ path })),
  "relayChannels.put": given(anAdapter, () => ({ path: channelPath, body: mapping })),
  "relayChannels.disable": given(aMapping, () => ({ path: channelPath })),
  "relayChannels.remove": given(
    (ask) =>
      Effect.zipRight(
        aMapping(ask),
        ask("POST", `${at}/relay/channels/${channelId}/disable`, { as: "admin" })
      ),
    () => ({ path: channelPath })
  ),
  "relayTriggers.list": given(aRule, () => ({ path })),
  "relayTriggers.create": given(aMapping, (mapping) => ({ path, body: ruleOf(mapping.body.id) })),
  "relayTriggers.disable": given(aRule, ({ id }) => ({ path: { ...path, ruleId: id } })),
  "relayTriggers.audits": given(aRule, () => ({ path, query: "?limit=5" }))
}
