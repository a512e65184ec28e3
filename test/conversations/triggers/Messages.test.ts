import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TriggerRepo from "../../../src/conversations/triggers/TriggerRepo.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { ask } from "../../support/Board.ts"
import { temporaryDirectory, world, worldIn } from "../../support/World.ts"
import { aRelay, aRule, arrive, audits, disableRule, mappingId, messageOf, postRule } from "./Rules.ts"

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
