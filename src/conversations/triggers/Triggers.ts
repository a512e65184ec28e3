import { Context, Effect, Layer } from "effect"
import { founderOf, type Standing } from "../../identity/Standing.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { deniedTo, type PermissionDenied } from "../../kernel/Authorization.ts"
import { newId } from "../../kernel/Ids.ts"
import { iso, now } from "../../kernel/Time.ts"
import type { Workers } from "../../kernel/Worker.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { Storage } from "../../storage/Storage.ts"
import type { AdapterNotFound, AdapterOfOtherKind } from "../adapters/Errors.ts"
import { requireRelay } from "../adapters/Units.ts"
import { findMapping } from "../mappings/Units.ts"
import * as AuditRepo from "./AuditRepo.ts"
import { startDispatching } from "./DispatchTriggers.ts"
import {
  TriggerMappingDisabled,
  TriggerMappingNotFound,
  TriggerRuleLimitReached,
  TriggerRuleNotFound,
  TriggerWorkflowNotFound
} from "./Errors.ts"
import { TriggerRuleCreated, TriggerRuleDisabled } from "./Events.ts"
import { ExternalTriggers } from "./ExternalTriggers.ts"
import * as RuleRepo from "./RuleRepo.ts"
import { keptAudits, ruleLimit, type TriggerAudit, type TriggerBody, type TriggerRule } from "./Trigger.ts"

type NoRelay = AdapterNotFound | AdapterOfOtherKind

/** Which messages of a relay start workflows, and what became of each. */
export interface TriggersService {
  readonly list: (adapterId: string) => Effect.Effect<ReadonlyArray<TriggerRule>, NoRelay>
  /** Makes a rule, whose runs execute in its maker's name. */
  readonly create: (
    adapterId: string,
    body: TriggerBody,
    by: ActorContext
  ) => Effect.Effect<
    TriggerRule,
    | NoRelay
    | PermissionDenied
    | TriggerMappingNotFound
    | TriggerMappingDisabled
    | TriggerWorkflowNotFound
    | TriggerRuleLimitReached
  >
  /** Switches a rule off for good. What it has started, and what was noted about it, stays. */
  readonly disable: (
    adapterId: string,
    ruleId: string,
    by: ActorContext
  ) => Effect.Effect<TriggerRule, NoRelay | TriggerRuleNotFound>
  /** The newest audits. */
  readonly audits: (adapterId: string, limit?: number) => Effect.Effect<ReadonlyArray<TriggerAudit>, NoRelay>
}

export class Triggers extends Context.Tag("muster/Triggers")<Triggers, TriggersService>() {
  static readonly layer: Layer.Layer<Triggers, never, Storage | ExternalTriggers | Standing | Workers> =
    Layer.scoped(
      Triggers,
      Effect.gen(function* () {
        const storage = yield* Storage
        const external = yield* ExternalTriggers
        yield* startDispatching
        return Triggers.of({
          list: (adapterId) =>
            storage.read(Effect.zipRight(requireRelay(adapterId), RuleRepo.ofAdapter(adapterId))),
          create: Effect.fn("Triggers.create")(function* (adapterId, body, by) {
            const { workflowId } = body
            if (!(yield* external.mayExecute(workflowId, by))) return yield* deniedTo(by, "workflow:execute")
            if ((yield* external.workflow(workflowId)) === "missing")
              return yield* new TriggerWorkflowNotFound({ workflowId })
            return yield* storage.write(create(adapterId, body, by))
          }),
          disable: Effect.fn("Triggers.disable")((adapterId, ruleId, by) =>
            storage.write(disable(adapterId, ruleId, by))
          ),
          audits: (adapterId, limit = keptAudits) =>
            storage.read(Effect.zipRight(requireRelay(adapterId), AuditRepo.newest(adapterId, limit)))
        })
      })
    )
}

/** What the journal is told of a rule. */
const told = ({ adapterId, enabled, id, mappingId, workflowId }: TriggerRule) => ({
  resourceId: id,
  adapterId,
  mappingId,
  workflowId,
  enabled
})

const create = (adapterId: string, body: TriggerBody, by: ActorContext) =>
  Effect.gen(function* () {
    const { mappingId } = body
    yield* requireRelay(adapterId)
    const mapping = yield* findMapping(mappingId)
    if (mapping === undefined || mapping.adapterId !== adapterId)
      return yield* new TriggerMappingNotFound({ mappingId })
    if (!mapping.enabled) return yield* new TriggerMappingDisabled({ mappingId })
    if ((yield* RuleRepo.count(adapterId)) >= ruleLimit) yield* RuleRepo.forgetDisabled(adapterId)
    if ((yield* RuleRepo.count(adapterId)) >= ruleLimit)
      return yield* new TriggerRuleLimitReached({ limit: ruleLimit })
    const at = iso(yield* now)
    const rule: TriggerRule = {
      schemaVersion: "relay-workflow-trigger/v1",
      id: yield* newId("trigger"),
      adapterId,
      event: "message.posted",
      ...body,
      enabled: true,
      createdBy: by.name,
      createdAt: at,
      updatedAt: at
    }
    yield* RuleRepo.insert({ rule, founder: founderOf(by) })
    yield* Journal.record(new TriggerRuleCreated(told(rule)), by)
    return rule
  })

const disable = (adapterId: string, ruleId: string, by: ActorContext) =>
  Effect.gen(function* () {
    yield* requireRelay(adapterId)
    const found = yield* RuleRepo.find(ruleId)
    if (found === undefined || found.rule.adapterId !== adapterId)
      return yield* new TriggerRuleNotFound({ ruleId })
    if (!found.rule.enabled) return found.rule
    const at = yield* now
    const rule = { ...found.rule, enabled: false, updatedAt: iso(at) }
    yield* RuleRepo.disable(ruleId, at)
    yield* Journal.record(new TriggerRuleDisabled(told(rule)), by)
    return rule
  })
