import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { TriggerAudit } from "../../../src/conversations/triggers/Trigger.ts"
import * as TriggerRepo from "../../../src/conversations/triggers/TriggerRepo.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { deletion9005, edit, message, reply } from "../../support/relay/Drafts.ts"
import { alice, bob, bridged, bridgeWorld, channel, eventually, type Routes } from "../relay/Bridged.ts"

const at = "/adapters/community/relay"

/** The audits as soon as there are so many. */
const audited = (here: Routes, count: number) =>
  eventually(
    Effect.map(
      here.call("GET", `${at}/workflow-trigger-audits`),
      ({ body }): ReadonlyArray<TriggerAudit> => body
    ),
    (audits) => audits.length >= count && audits.every(({ reasonCode }) => reasonCode !== "recorded")
  )

const ruleOf = (here: Routes, more: object = {}) =>
  Effect.gen(function* () {
    const { body } = yield* here.call("GET", `${at}/channels`)
    const rule = { mappingId: body[0].id, workflowId: "deploy", ...more }
    return (yield* here.call("POST", `${at}/workflow-triggers`, { body: rule })).body
  })

describe("a message that comes over a relay", () => {
  it.scopedLive(
    "sets off the workflow of the rule that it fits, without its secrets, and is shown as ever",
    () =>
      Effect.gen(function* () {
        const { here, there } = yield* bridged()
        const rule = yield* ruleOf(here, { contentIncludes: "deploy", authorPubkey: alice.publicKey })
        const secret = `ghp_${"a1B2".repeat(9)}`
        const root = message({ by: alice, channel, content: `DEPLOY with ${secret}` })
        yield* there.publish(root)
        const [audit] = yield* audited(here, 1)
        const causalKey = `relay:${there.host}:${root.id}:${rule.id}`
        assert.deepInclude(audit, {
          disposition: "waiting",
          reasonCode: "workflows_not_available",
          causalKey,
          community: there.host,
          channelId: channel,
          eventId: root.id,
          authorPubkey: alice.publicKey
        })
        const { read } = yield* Storage
        const trigger = yield* read(TriggerRepo.find(causalKey))
        assert.match(trigger?.context.message ?? "", /^DEPLOY with /)
        assert.notInclude(JSON.stringify([trigger, audit]), secret)
        assert.lengthOf(yield* here.squad, 1)
      }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("sets off nothing when it is a reply, an edit, a deletion, by another, or our own", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      yield* ruleOf(here, { contentIncludes: "deploy", authorPubkey: alice.publicKey })
      const root = message({ by: alice, channel, content: "hello" })
      yield* there.publish(root)
      yield* there.publish(reply({ by: alice, to: root, content: "deploy" }))
      yield* there.publish(edit({ by: alice, target: root, content: "deploy" }))
      yield* there.publish(deletion9005({ by: alice, target: root }))
      yield* there.publish(message({ by: bob, channel, content: "deploy" }))
      yield* here.send("msg_ours", "deploy")
      const audits = yield* audited(here, 5)
      assert.sameMembers(
        audits.map(({ disposition, reasonCode }) => `${disposition} ${reasonCode}`),
        [
          "mismatch content_differs",
          "ignored not_a_root",
          "ignored not_a_message",
          "ignored not_a_message",
          "mismatch author_differs"
        ]
      )
      const { select } = yield* Storage
      assert.lengthOf(yield* select((sql) => sql`SELECT causal_key FROM external_triggers`), 0)
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
