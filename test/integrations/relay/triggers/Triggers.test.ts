import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TriggerRepo from "../../../../src/integrations/relay/triggers/TriggerRepo.ts"
import { Storage } from "../../../../src/storage/Storage.ts"
import { ask } from "../../../support/Board.ts"
import { temporaryDirectory, world, worldIn } from "../../../support/World.ts"
import { putTeam } from "../../teamchat/Teams.ts"
import {
  aRelay,
  aRule,
  arrive,
  audits,
  disableRule,
  insertMapping,
  listRules,
  mappingId,
  messageOf,
  postRule
} from "./Rules.ts"

const author = "A1".repeat(32)

/** What became of what has arrived, newest first. */
const verdicts = Effect.map(audits(), ({ body }) =>
  body.map((audit: { readonly disposition: string; readonly reasonCode: string }) => [
    audit.disposition,
    audit.reasonCode
  ])
)

/** Waits until the worker has handed everything over. */
const handedOver = Effect.flatMap(Storage, ({ read }) =>
  Effect.repeat(Effect.delay(read(TriggerRepo.nextDue), 5), { while: (next) => next !== undefined })
)

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

describe("a message of a mapped channel", () => {
  it.scopedLive("that fits a rule waits for its workflow, with all that a run needs to know", () =>
    Effect.gen(function* () {
      yield* aRelay
      const rule = yield* aRule({ contentIncludes: "DEPLOY" })
      yield* arrive()
      yield* handedOver
      const { channelId, community, eventId, text, ...message } = messageOf()
      const causalKey = `relay:${community}:${eventId}:${rule.id}`
      const { body } = yield* audits()
      assert.lengthOf(body, 1)
      assert.deepInclude(body[0], {
        adapterId: "relay",
        mappingId,
        ruleId: rule.id,
        workflowId: "deploy",
        event: "message.posted",
        hook: "workflow.pre-external-trigger",
        causalKey,
        community,
        channelId,
        eventId,
        authorPubkey: message.authorPubkey,
        kind: 9,
        disposition: "waiting",
        reasonCode: "workflows_not_available",
        runId: null,
        times: 1
      })
      const { read } = yield* Storage
      assert.deepStrictEqual((yield* read(TriggerRepo.find(causalKey)))?.context, {
        community,
        channelId,
        eventId,
        authorPubkey: message.authorPubkey,
        mappingId,
        ruleId: rule.id,
        message: text
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("sets off each rule that it fits once, whenever it comes again", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.gen(function* () {
        yield* aRelay
        yield* aRule()
        yield* aRule({ contentIncludes: "deploy" })
        yield* aRule({ contentIncludes: "revert" })
        yield* arrive()
        yield* handedOver
        yield* arrive()
      }).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        yield* arrive()
        const { body } = yield* audits()
        const counts = body.map((audit: { disposition: string; times: number }) => [
          audit.disposition,
          audit.times
        ])
        assert.sameDeepMembers(counts, [
          ["waiting", 1],
          ["waiting", 1],
          ["mismatch", 3],
          ["replayed", 2],
          ["replayed", 2]
        ])
        const { select } = yield* Storage
        const rows = yield* select((sql) => sql`SELECT causal_key FROM external_triggers`)
        assert.lengthOf(rows, 2)
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )

  it.scopedLive("sets off nothing when it is no root that somebody else has posted, and it says why", () =>
    Effect.gen(function* () {
      yield* aRelay
      const rule = yield* aRule({ contentIncludes: "deploy", authorPubkey: "a".repeat(64) })
      yield* arrive({ eventId: "1", isRoot: false })
      yield* arrive({ eventId: "2", kind: 40_003 })
      yield* arrive({ eventId: "3", kind: 9005 })
      yield* arrive({ eventId: "4", kind: 7 })
      yield* arrive({ eventId: "5", isEcho: true })
      yield* arrive({ eventId: "6", text: "Please revert" })
      yield* arrive({ eventId: "7", authorPubkey: "b".repeat(64) })
      yield* arrive({ eventId: "8", mappingId: "map_other" })
      yield* arrive({ eventId: "9" })
      yield* handedOver
      yield* disableRule(rule.id)
      yield* arrive({ eventId: "10" })
      assert.deepStrictEqual(yield* verdicts, [
        ["disabled", "rule_disabled"],
        // A rule that is switched off keeps what was noted before.
        ["waiting", "workflows_not_available"],
        ["mismatch", "author_differs"],
        ["mismatch", "content_differs"],
        ["ignored", "echo"],
        ["ignored", "not_a_message"],
        ["ignored", "not_a_message"],
        ["ignored", "not_a_message"],
        ["ignored", "not_a_root"]
      ])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("sets off nothing any more when the token is revoked that has made the rule", () =>
    Effect.gen(function* () {
      yield* aRelay
      const made = yield* ask("POST", "/api/auth/tokens", {
        as: "admin",
        body: { name: "Ops", role: "admin", scopes: ["settings:write", "workflow:execute"] }
      })
      const rule = yield* postRule(
        { mappingId, workflowId: "deploy" },
        { as: null, headers: { "x-api-key": made.token } }
      )
      assert.deepInclude(rule.body, { createdBy: "Ops" })
      yield* arrive({ eventId: "1" })
      yield* handedOver
      yield* ask("DELETE", `/api/auth/tokens/${made.id}`, { as: "admin" })
      yield* arrive({ eventId: "2" })
      yield* handedOver
      assert.deepStrictEqual(yield* verdicts, [
        ["denied", "execute_not_permitted"],
        ["waiting", "workflows_not_available"]
      ])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves 500 audits, of which those that set off nothing go first", () =>
    Effect.gen(function* () {
      yield* aRelay
      yield* aRule({ contentIncludes: "deploy" })
      yield* arrive({ eventId: "first" })
      for (let n = 0; n < 505; n++) yield* arrive({ eventId: `${n}`, text: "Hello" })
      const { body } = yield* audits()
      assert.lengthOf(body, 500)
      assert.strictEqual(body[0].eventId, "504")
      assert.strictEqual(body.at(-1).eventId, "first")
      const limited = yield* audits("?limit=3")
      assert.deepStrictEqual(limited.body, body.slice(0, 3))
      for (const limit of ["0", "501", "x"]) {
        assert.strictEqual((yield* audits(`?limit=${limit}`)).status, 400)
      }
    }).pipe(Effect.provide(world()))
  )
})
