import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parseStored } from "../../src/kernel/Json.ts"
import { auditTrail } from "../support/Audit.ts"
import { temporaryDirectory, World, worldIn } from "../support/World.ts"

const adapters = "/api/integrations/communication/adapters"

/** Requests of somebody with a token of these scopes. Tokens are somebody of their own, also by their names. */
const holder = (name: string, scopes: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { request } = yield* World
    const { body } = yield* request("POST", "/api/auth/tokens", {
      as: "admin",
      body: { name, role: "admin", scopes }
    })
    return (method: string, path: string, payload: unknown) =>
      request(method, path, { as: null, headers: { "x-api-key": body.token }, body: payload })
  })

/** What the audit chain of a directory says of denials, once the server that wrote it has stopped. */
const denialsIn = (directory: string) =>
  Effect.map(Effect.provide(auditTrail, worldIn(directory)), (trail) =>
    trail
      .filter(({ action }) => action === "permission.denied")
      .map(({ actor, details, resource, resourceId }) => ({
        actor,
        resource,
        resourceId,
        details: parseStored(details)
      }))
  )

describe("what a room refuses for want of rights", () => {
  it.scopedLive(
    "stands in the audit chain as a refusal at a route does: who, where, and what they lacked",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          const settler = yield* holder("settler", ["settings:read", "settings:write"])
          const manager = yield* holder("manager", ["admin:manage"])
          const codex = {
            type: "codex",
            name: "Codex",
            provider: "command",
            enabled: true,
            command: "/bin/evil"
          }
          const refused = [
            yield* settler("PUT", "/api/config/agents", { agents: [codex] }),
            yield* settler("POST", "/api/hooks", {
              name: "Tell them",
              event: "task.created",
              action: { type: "webhook", url: "https://example.com/evil", secretRef: "env:HOOK_KEY" }
            }),
            yield* settler("PUT", `${adapters}/team`, {
              kind: "teamchat",
              displayName: "Team",
              enabled: true,
              webhookUrl: "https://example.com/evil"
            }),
            yield* settler("PUT", "/api/integrations/trackers/connection", {
              provider: "github",
              project: "acme/board",
              credentialRef: "env:TRACKER_KEY"
            }),
            yield* manager("POST", "/api/v1/auth/tokens", {
              name: "More",
              role: "admin",
              scopes: ["task:write"]
            })
          ]
          for (const { body, status } of refused) assert.strictEqual(status, 403, JSON.stringify(body))
        }).pipe(Effect.provide(worldIn(directory)))
        const fields = (resourceId: string, ...names: ReadonlyArray<string>) => ({
          actor: "settler",
          resource: "route",
          resourceId,
          details: { requiredPermission: "admin:manage", fields: names, times: 1 }
        })
        const denials = yield* denialsIn(directory)
        assert.sameDeepMembers(denials, [
          fields("PUT /api/config/agents", "agents.0.command"),
          fields("POST /api/hooks", "action.secretRef"),
          fields(`PUT ${adapters}/:adapterId`, "webhookUrl"),
          fields("PUT /api/integrations/trackers/connection", "credentialRef"),
          {
            actor: "manager",
            resource: "route",
            resourceId: "POST /api/auth/tokens",
            details: { role: "admin", missing: ["task:write"], times: 1 }
          }
        ])
        assert.notInclude(JSON.stringify(denials), "evil")
      })
  )

  it.scopedLive(
    "is that of somebody let in without a credential too, and not what was not found or not valid",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const open = worldIn(directory, { auth: { localhostBypass: true, localhostRole: "admin" } })
        yield* Effect.gen(function* () {
          const { request } = yield* World
          const path = "/api/maintenance/sqlite/journal/apply"
          assert.strictEqual((yield* request("POST", path, { as: null, body: {} })).status, 403)
          assert.strictEqual((yield* request("GET", "/api/hooks/nobody", { as: "admin" })).status, 404)
          assert.strictEqual((yield* request("POST", "/api/hooks", { as: "admin", body: {} })).status, 400)
        }).pipe(Effect.provide(open))
        const denials = yield* denialsIn(directory)
        assert.deepStrictEqual(denials, [
          {
            actor: "localhost",
            resource: "route",
            resourceId: "POST /api/maintenance/sqlite/journal/apply",
            details: { authMethod: "localhost-bypass", times: 1 }
          }
        ])
      })
  )
})
