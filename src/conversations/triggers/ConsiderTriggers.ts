import { Effect } from "effect"
import { system } from "../../kernel/Actor.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as AuditRepo from "./AuditRepo.ts"
import { causalKeyOf, decide, type InboundMessage } from "./Decision.ts"
import { TriggerRecorded } from "./Events.ts"
import * as RuleRepo from "./RuleRepo.ts"
import { hook, type TriggerRule } from "./Trigger.ts"
import * as TriggerRepo from "./TriggerRepo.ts"

/**
 * Decides what an event sets off, in the unit that stores it: for each rule of its mapping one audit, and for each rule
 * that it matches one workflow to be started. A worker starts it after the commit.
 */
export const considerTriggers = (message: InboundMessage): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const rules = yield* RuleRepo.ofMapping(message.mappingId)
    if (rules.length === 0) return
    for (const rule of rules) yield* AuditRepo.note(message, rule, yield* consider(rule, message))
    yield* AuditRepo.prune(message.adapterId)
  })

const consider = (rule: TriggerRule, message: InboundMessage): Effect.Effect<AuditRepo.Verdict, never, Sql> =>
  Effect.gen(function* () {
    const decision = decide(rule, message)
    if (decision.disposition !== "match")
      return { disposition: decision.disposition, reasonCode: decision.reason }
    const causalKey = causalKeyOf(message, rule.id)
    const known = yield* TriggerRepo.find(causalKey)
    if (known !== undefined)
      return { disposition: "replayed", reasonCode: `already_${known.state}`, runId: known.runId }
    const { adapterId, authorPubkey, channelId, community, eventId, mappingId, text } = message
    const { id: ruleId, workflowId } = rule
    yield* TriggerRepo.insert({
      causalKey,
      adapterId,
      ruleId,
      workflowId,
      context: { community, channelId, eventId, authorPubkey, mappingId, ruleId, message: text }
    })
    yield* Journal.record(
      new TriggerRecorded({ resourceId: causalKey, hook, adapterId, mappingId, ruleId, workflowId }),
      system
    )
    return { disposition: "waiting", reasonCode: "recorded" }
  })
