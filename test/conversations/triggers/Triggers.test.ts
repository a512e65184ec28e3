import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../../support/Board.ts"
import { world } from "../../support/World.ts"
import { putTeam } from "../teamchat/Teams.ts"
import { aRelay, aRule, audits, disableRule, insertMapping, listRules, mappingId, postRule } from "./Rules.ts"

const author = "A1".repeat(32)

describe("a workflow trigger rule", () => {
  it.scopedLive("is made, listed and switched off for good", () =>
    Effect.gen(function* () {
      yield* aRelay
      const { body: rule, status } = yield* postRule({
        mappingId,
        workflowId: "deploy",
        contentIncludes: "Deploy",
        authorPubkey: author
      })
      assert.strictEqual(status, 201)
      assert.deepInclude(rule, {
        schemaVersion: "relay-workflow-trigger/v1",
        adapterId: "relay",
        mappingId,
        workflowId: "deploy",
        event: "message.posted",
        contentIncludes: "Deploy",
        authorPubkey: author.toLowerCase(),
        enabled: true,
        createdBy: "admin"
      })
      const bare = yield* aRule()
      assert.notProperty(bare, "contentIncludes")
      assert.deepStrictEqual((yield* listRules("read-only")).body, [rule, bare])
      const off = yield* disableRule(rule.id)
      assert.strictEqual(off.status, 200)
      assert.deepStrictEqual({ ...off.body, updatedAt: "" }, { ...rule, enabled: false, updatedAt: "" })
      assert.deepStrictEqual((yield* disableRule(rule.id)).body, off.body)
      assert.deepStrictEqual((yield* listRules()).body, [off.body, bare])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused with the field that is wrong, and takes no field that it does not know", () =>
    Effect.gen(function* () {
      yield* aRelay
      const good = { mappingId, workflowId: "deploy" }
      const wrong: ReadonlyArray<readonly [object, string]> = [
        [{ workflowId: "deploy" }, "mappingId"],
        [{ mappingId }, "workflowId"],
        [{ ...good, workflowId: " " }, "workflowId"],
        [{ ...good, contentIncludes: " " }, "contentIncludes"],
        [{ ...good, contentIncludes: "x".repeat(201) }, "contentIncludes"],
        [{ ...good, contentIncludes: 1 }, "contentIncludes"],
        [{ ...good, authorPubkey: "a".repeat(63) }, "authorPubkey"],
        [{ ...good, authorPubkey: "a".repeat(65) }, "authorPubkey"],
        [{ ...good, authorPubkey: "g".repeat(64) }, "authorPubkey"],
        ...["regex", "expression", "code", "kinds"].map(
          (field) => [{ ...good, [field]: "x" }, field] as const
        )
      ]
      for (const [body, field] of wrong) {
        const { body: answer, status } = yield* postRule(body)
        assert.strictEqual(status, 400, JSON.stringify(body))
        assert.strictEqual(answer.code, "VALIDATION_ERROR")
        const paths = answer.details.issues.map(({ path }: { path: string }) => path)
        assert.include(paths, field)
      }
      assert.strictEqual((yield* postRule({ ...good, contentIncludes: "x".repeat(200) })).status, 201)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("needs an enabled mapping of a relay that is there", () =>
    Effect.gen(function* () {
      yield* aRelay
      yield* insertMapping("map_off", false)
      yield* insertMapping("map_elsewhere", true, "elsewhere")
      yield* putTeam()
      const with_ = (mapping: string, adapter = "relay") =>
        postRule({ mappingId: mapping, workflowId: "deploy" }, {}, adapter)
      const refusals: ReadonlyArray<readonly [string, string, number, string]> = [
        ["map_nobody", "relay", 404, "NOT_FOUND"],
        ["map_elsewhere", "relay", 404, "NOT_FOUND"],
        ["map_off", "relay", 409, "CONFLICT"],
        [mappingId, "nobody", 404, "NOT_FOUND"],
        [mappingId, "team", 409, "CONFLICT"]
      ]
      for (const [mapping, adapter, status, code] of refusals) {
        const answer = yield* with_(mapping, adapter)
        assert.deepStrictEqual([answer.status, answer.body.code], [status, code], `${mapping} ${adapter}`)
      }
      for (const answer of [
        yield* listRules("admin", "team"),
        yield* audits("", "admin", "team"),
        yield* disableRule("x", "admin", "team")
      ]) {
        assert.strictEqual(answer.status, 409)
        assert.deepInclude(answer.body.details, { adapterId: "team", kind: "teamchat" })
      }
      for (const answer of [
        yield* listRules("admin", "nobody"),
        yield* audits("", "admin", "nobody"),
        yield* disableRule("trigger_nobody")
      ]) {
        assert.strictEqual(answer.status, 404)
      }
      assert.lengthOf((yield* listRules()).body, 0)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("needs settings:write and the right to execute workflows", () =>
    Effect.gen(function* () {
      yield* aRelay
      const body = { mappingId, workflowId: "deploy" }
      for (const as of ["agent", "read-only"] as const) {
        assert.strictEqual((yield* postRule(body, { as })).status, 403)
        assert.strictEqual((yield* disableRule("x", as)).status, 403)
      }
      const { token } = yield* ask("POST", "/api/auth/tokens", {
        as: "admin",
        body: { name: "Settings", role: "admin", scopes: ["settings:write"] }
      })
      const refused = yield* postRule(body, { as: null, headers: { "x-api-key": token } })
      assert.strictEqual(refused.status, 403)
      assert.deepInclude(refused.body, { code: "PERMISSION_DENIED" })
      assert.deepInclude(refused.body.details, { requiredPermission: "workflow:execute" })
      assert.lengthOf((yield* listRules()).body, 0)
      assert.strictEqual((yield* listRules(null)).status, 401)
      assert.strictEqual((yield* audits("", "read-only")).status, 200)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("takes the place of the one that is disabled for longest when there are 100", () =>
    Effect.gen(function* () {
      yield* aRelay
      const [first, second] = [yield* aRule(), yield* aRule()]
      for (let n = 2; n < 100; n++) yield* aRule()
      const full = yield* postRule({ mappingId, workflowId: "deploy" })
      assert.strictEqual(full.status, 409)
      assert.deepInclude(full.body.details, { limit: 100 })
      yield* disableRule(second.id)
      const next = yield* aRule()
      const ids = (yield* listRules()).body.map(({ id }: { id: string }) => id)
      assert.lengthOf(ids, 100)
      assert.include(ids, first.id)
      assert.include(ids, next.id)
      assert.notInclude(ids, second.id)
    }).pipe(Effect.provide(world()))
  )
})
