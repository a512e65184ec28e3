import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { sharedWorld } from "../support/SharedWorld.ts"
import { type Answer, World } from "../support/World.ts"

const adapters = "/api/integrations/communication/adapters"
const connection = "/api/integrations/trackers/connection"
const agents = "/api/config/agents"

const codex = {
  type: "codex",
  name: "Codex",
  provider: "command",
  enabled: true,
  command: "codex",
  args: ["exec"],
  passthroughEnv: ["OPENAI_API_KEY"]
}

const relay = {
  kind: "relay",
  displayName: "Community",
  enabled: false,
  relayHttpUrl: "https://relay.example.com",
  relayWebSocketUrl: null,
  allowLocalhost: false,
  allowPrivateNetwork: false,
  expectedCommunity: "relay.example.com",
  credentialRef: "env:RELAY_PRIVATE_KEY",
  authTagRef: "env:RELAY_AUTH_TAG",
  command: { executable: "relay", args: ["--version"] }
}

const { credentialRef: _, authTagRef: __, command: ___, ...plainRelay } = relay

const team = {
  kind: "teamchat",
  displayName: "Team",
  enabled: true,
  webhookUrl: "https://chat.example.com/hook?sig=hunter2",
  credential: "hunter3",
  allowLocalhost: false,
  allowPrivateNetwork: false
}

const github = {
  provider: "github",
  baseUrl: "https://ghe.example.com/api",
  project: "acme/board",
  credentialRef: "env:TRACKER_KEY"
}

const { credentialRef: ____, ...openGithub } = github

const action = {
  type: "webhook",
  url: "https://example.com/in",
  secretRef: "env:HOOK_KEY",
  credentialRef: "env:HOOK_TOKEN"
}
const openAction = { type: "webhook", url: "https://example.com/in" }

interface Write {
  readonly path: string
  readonly body: object
}

/** Something that an administrator has set up, and what somebody with settings:write makes of it. */
interface Case {
  readonly says: string
  readonly before?: Write
  readonly body: object
  /** The fields that a refusal names; none for a write that passes. */
  readonly fields?: ReadonlyArray<string>
}

const put = (path: string, body: object): Write => ({ path, body })

/** Cases of one thing; those that nothing was set up for write to a place of their own. */
const area = (of: string, write: (body: object, index: number) => Write, all: ReadonlyArray<Case>) => ({
  of,
  write,
  all
})

const agentsOf = (...all: ReadonlyArray<object>) => ({ agents: all })
const { args: _args, ...argless } = codex
const { passthroughEnv: _env, ...secluded } = codex

const areas = [
  area("agents", (body) => put(agents, body), [
    {
      says: "a new agent with a command",
      before: put(agents, agentsOf()),
      body: agentsOf(codex),
      fields: ["command", "args", "passthroughEnv"].map((field) => `agents.0.${field}`)
    },
    {
      says: "a gateway that hands nothing on",
      body: agentsOf({ type: "far", name: "Far", provider: "gateway", enabled: true })
    },
    {
      says: "a gateway that is handed a variable",
      before: put(agents, agentsOf()),
      body: agentsOf({
        type: "far",
        name: "Far",
        provider: "gateway",
        enabled: true,
        passthroughEnv: ["HOME"]
      }),
      fields: ["agents.0.passthroughEnv"]
    },
    ...[
      { says: "another command", agent: { ...codex, command: "/bin/sh" }, field: "command" },
      {
        says: "the same program by its path",
        agent: { ...codex, command: "/tmp/evil/codex" },
        field: "command"
      },
      { says: "other arguments", agent: { ...codex, args: ["exec", "--yolo"] }, field: "args" },
      { says: "no arguments", agent: argless, field: "args" },
      { says: "another variable", agent: { ...codex, passthroughEnv: ["HOME"] }, field: "passthroughEnv" },
      { says: "no variable", agent: secluded, field: "passthroughEnv" }
    ].map(({ agent, field, says }) => ({
      says,
      before: put(agents, agentsOf(codex)),
      body: agentsOf(agent),
      fields: [`agents.0.${field}`]
    })),
    {
      says: "the command of one agent for another",
      before: put(agents, agentsOf(codex, { ...codex, type: "other", command: "other" })),
      body: agentsOf({ ...codex, type: "other" }),
      fields: ["agents.0.command"]
    },
    { says: "the same agents", before: put(agents, agentsOf(codex)), body: agentsOf(codex) },
    {
      says: "another name, model and switch",
      before: put(agents, agentsOf(codex)),
      body: agentsOf({ ...codex, name: "C", model: "m", enabled: false })
    },
    { says: "no agents", before: put(agents, agentsOf(codex)), body: agentsOf() }
  ]),
  area("a relay", (body, index) => put(`${adapters}/relay-${index}`, body), [
    { says: "a relay without secrets", body: plainRelay },
    {
      says: "a relay with a program",
      body: { ...plainRelay, command: relay.command },
      fields: ["command"]
    },
    {
      says: "a relay with a key",
      body: { ...plainRelay, credentialRef: relay.credentialRef },
      fields: ["credentialRef"]
    },
    {
      says: "a relay with an attestation",
      body: { ...plainRelay, authTagRef: relay.authTagRef },
      fields: ["authTagRef"]
    },
    ...[
      {
        says: "another program",
        more: { command: { executable: "/bin/sh", args: ["-c", "id"] } },
        fields: ["command"]
      },
      {
        says: "other arguments",
        more: { command: { executable: "relay", args: [] } },
        fields: ["command"]
      },
      { says: "another key", more: { credentialRef: "env:OTHER" }, fields: ["credentialRef"] },
      {
        says: "another host",
        more: { relayHttpUrl: "https://evil.example.com" },
        fields: ["relayHttpUrl"]
      },
      {
        says: "another path",
        more: { relayHttpUrl: "https://relay.example.com/evil" },
        fields: ["relayHttpUrl"]
      },
      {
        says: "a socket of its own",
        more: { relayWebSocketUrl: "wss://relay.example.com" },
        fields: ["relayWebSocketUrl"]
      },
      {
        says: "another community",
        more: { expectedCommunity: "evil.example.com" },
        fields: ["expectedCommunity"]
      },
      { says: "any community", more: { expectedCommunity: null }, fields: ["expectedCommunity"] },
      { says: "this machine", more: { allowLocalhost: true }, fields: ["allowLocalhost"] },
      { says: "private networks", more: { allowPrivateNetwork: true }, fields: ["allowPrivateNetwork"] },
      { says: "all as it was", more: {} },
      { says: "another name", more: { displayName: "C" } },
      {
        says: "neither program nor secrets",
        more: { command: null, credentialRef: null, authTagRef: null }
      }
    ].map(({ says, more, ...rest }) => ({
      says: `a relay with ${says}`,
      before: put(`${adapters}/relay`, relay),
      body: { ...relay, ...more },
      ...rest
    })),
    {
      says: "a relay of which nothing is named",
      before: put(`${adapters}/relay`, relay),
      body: { kind: "relay", displayName: "C", enabled: true }
    }
  ]),
  area("a team chat", (body, index) => put(`${adapters}/team-${index}`, body), [
    { says: "a team without a webhook", body: { kind: "teamchat", displayName: "Team", enabled: true } },
    { says: "a team with a webhook", body: { ...team, credential: null }, fields: ["webhookUrl"] },
    { says: "a team with both", body: team, fields: ["webhookUrl", "credential"] },
    ...[
      {
        says: "another webhook",
        more: { webhookUrl: "https://evil.example.com/" },
        fields: ["webhookUrl"]
      },
      {
        says: "another path",
        more: { webhookUrl: "https://chat.example.com/other" },
        fields: ["webhookUrl"]
      },
      { says: "a credential", more: { credential: "mine" }, fields: ["credential"] },
      { says: "the name of a variable", more: { credential: "env:TRACKER_KEY" }, fields: ["credential"] },
      { says: "this machine", more: { allowLocalhost: true }, fields: ["allowLocalhost"] },
      { says: "private networks", more: { allowPrivateNetwork: true }, fields: ["allowPrivateNetwork"] },
      { says: "the same webhook", more: { webhookUrl: team.webhookUrl } },
      { says: "another name", more: { displayName: "T", channelId: "general" } },
      { says: "neither webhook nor credential", more: { webhookUrl: null, credential: null } },
      { says: "no webhook", more: { webhookUrl: null } }
    ].map(({ says, more, ...rest }) => ({
      says: `a team with ${says}`,
      before: put(`${adapters}/team`, team),
      body: { kind: "teamchat", displayName: "Team", enabled: true, ...more },
      ...rest
    }))
  ]),
  area("a tracker", (body) => put(connection, body), [
    { says: "a tracker without a credential", before: put(connection, openGithub), body: openGithub },
    {
      says: "a tracker with a credential",
      before: put(connection, openGithub),
      body: github,
      fields: ["credentialRef"]
    },
    ...[
      {
        says: "another credential",
        body: { ...github, credentialRef: "env:OTHER" },
        fields: ["credentialRef"]
      },
      {
        says: "another host",
        body: { ...github, baseUrl: "https://evil.example.com" },
        fields: ["baseUrl"]
      },
      {
        says: "another path",
        body: { ...github, baseUrl: "https://ghe.example.com/evil" },
        fields: ["baseUrl"]
      },
      { says: "its provider's host", body: { ...github, baseUrl: undefined }, fields: ["baseUrl"] },
      {
        says: "another provider",
        body: { ...github, provider: "local", baseUrl: undefined },
        fields: ["provider"]
      },
      { says: "all as it was", body: github },
      { says: "a slash at the end", body: { ...github, baseUrl: `${github.baseUrl}/` } },
      { says: "another project", body: { ...github, project: "acme/other", enabled: false } },
      {
        says: "another host and no credential",
        body: { ...openGithub, baseUrl: "https://evil.example.com" }
      }
    ].map(({ says, ...rest }) => ({
      says: `a tracker with ${says}`,
      before: put(connection, github),
      ...rest
    }))
  ])
] as const

const hookCases: ReadonlyArray<Case & { readonly was: object }> = [
  {
    says: "another signing key",
    was: action,
    body: { ...action, secretRef: "env:OTHER" },
    fields: ["action.secretRef"]
  },
  {
    says: "another credential",
    was: action,
    body: { ...action, credentialRef: "env:OTHER" },
    fields: ["action.credentialRef"]
  },
  {
    says: "another host",
    was: action,
    body: { ...action, url: "https://evil.example.com/" },
    fields: ["action.url"]
  },
  {
    says: "another path",
    was: action,
    body: { ...action, url: "https://example.com/evil" },
    fields: ["action.url"]
  },
  {
    says: "a URL of a variable",
    was: openAction,
    body: { type: "webhook", urlRef: "env:HOOK_URL" },
    fields: ["action.urlRef"]
  },
  {
    says: "a first signing key",
    was: openAction,
    body: { ...openAction, secretRef: "env:HOOK_KEY" },
    fields: ["action.secretRef"]
  },
  {
    says: "a written URL for the secrets of a hidden one",
    was: { type: "webhook", urlRef: "env:HOOK_URL", credentialRef: "env:HOOK_TOKEN" },
    body: { type: "webhook", url: "https://evil.example.com/", credentialRef: "env:HOOK_TOKEN" },
    fields: ["action.url"]
  },
  { says: "all as it was", was: action, body: action },
  {
    says: "another host without the secrets",
    was: action,
    body: { ...openAction, url: "https://evil.example.com/" }
  },
  {
    says: "another host where there are none",
    was: openAction,
    body: { ...openAction, url: "https://example.org/" }
  }
]

const as = (credential: string) => ({ as: null, headers: { "x-api-key": credential } })

/** The key of somebody who may write settings, and nothing else. */
const settler = Effect.gen(function* () {
  const { request } = yield* World
  const draft = { name: "Settler", role: "admin", scopes: ["settings:read", "settings:write"] }
  const { body, status } = yield* request("POST", "/api/auth/tokens", { as: "admin", body: draft })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return as(body.token)
})

const judge = (says: string, { body, status }: Answer, fields: ReadonlyArray<string> | undefined) => {
  if (fields === undefined) return assert.strictEqual(status, 200, `${says}: ${JSON.stringify(body)}`)
  assert.strictEqual(status, 403, `${says}: ${JSON.stringify(body)}`)
  assert.strictEqual(body.code, "PERMISSION_DENIED", says)
  assert.deepStrictEqual(body.details, { fields, requiredPermission: "admin:manage" }, says)
  for (const field of fields) assert.include(body.error, field, says)
  return assert.notMatch(JSON.stringify(body), /hunter|evil|\/bin\/sh/, says)
}

const shared = sharedWorld({ secrets: new Map([["TRACKER_KEY", Redacted.make("hunter4")]]) })

/** What of an answer stays when nothing was written: times, not the look at it. */
const everything = Effect.gen(function* () {
  const { request } = yield* World
  const paths = [agents, adapters, connection, "/api/hooks"]
  return yield* Effect.forEach(paths, (path) =>
    Effect.map(request("GET", path, { as: "admin" }), ({ body }) => body)
  )
})

describe("a field that only an administrator may set", () => {
  for (const { all, of, write } of areas) {
    it.scopedLive(`is refused in ${of}, and what leaves it as it is passes`, () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const who = yield* settler
        for (const [index, { before, body, fields, says }] of all.entries()) {
          const { path } = before ?? write(body, index)
          if (before !== undefined) {
            const set = yield* request("PUT", path, { as: "admin", body: before.body })
            assert.strictEqual(set.status, 200, JSON.stringify(set.body))
          }
          const was = yield* everything
          judge(says, yield* request("PUT", path, { ...who, body }), fields)
          if (fields === undefined) continue
          assert.deepStrictEqual(yield* everything, was, says)
          assert.strictEqual((yield* request("PUT", path, { as: "admin", body })).status, 200, says)
        }
      }).pipe(Effect.provide(shared))
    )
  }

  it.scopedLive("is refused in a hook that is made, and in one that is changed", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const who = yield* settler
      const draft = (of: object) => ({ name: "Tell them", event: "task.created", action: of })
      const made = yield* request("POST", "/api/hooks", { ...who, body: draft(action) })
      judge("made", made, ["action.secretRef", "action.credentialRef"])
      assert.strictEqual(
        (yield* request("POST", "/api/hooks", { ...who, body: draft(openAction) })).status,
        201
      )
      for (const { body, fields, says, was } of hookCases) {
        const { body: hook } = yield* request("POST", "/api/hooks", { as: "admin", body: draft(was) })
        const path = `/api/hooks/${hook.id}`
        judge(says, yield* request("PATCH", path, { ...who, body: { action: body } }), fields)
        const { body: now } = yield* request("GET", path, { as: "admin" })
        assert.deepStrictEqual(now.action, fields === undefined ? body : was, says)
        const renamed = yield* request("PATCH", path, { ...who, body: { name: "Renamed", enabled: false } })
        assert.strictEqual(renamed.status, 200, says)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is judged by what there is when the write is made, of two that come at once", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const who = yield* settler
      const { body: hook } = yield* request("POST", "/api/hooks", {
        as: "admin",
        body: { name: "A", event: "task.created", action: openAction }
      })
      const path = `/api/hooks/${hook.id}`
      const moved = { ...openAction, url: "https://evil.example.com/" }
      for (let round = 0; round < 10; round++) {
        yield* request("PATCH", path, { as: "admin", body: { action: openAction } })
        const [, other] = yield* Effect.all(
          [
            request("PATCH", path, { as: "admin", body: { action } }),
            request("PATCH", path, { ...who, body: { action: { ...moved, secretRef: action.secretRef } } })
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(other.status, 403)
        const { body: now } = yield* request("GET", path, { as: "admin" })
        assert.strictEqual(now.action.url, openAction.url)
      }
    }).pipe(Effect.provide(shared))
  )
})
