import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { integerText } from "../../kernel/Text.ts"
import { AdapterIdParam } from "../adapters/Adapter.ts"
import * as CommunicationWire from "../adapters/Wire.ts"
import { keptAudits, RuleIdParam, TriggerAudit, TriggerBody, TriggerRule } from "./Trigger.ts"
import * as Wire from "./Wire.ts"

const AdapterPath = Schema.Struct({ adapterId: AdapterIdParam })
const RulePath = Schema.Struct({ adapterId: AdapterIdParam, ruleId: RuleIdParam })

const AuditFilter = Schema.Struct({
  limit: Schema.optional(integerText(1, keptAudits).annotations({ description: `${keptAudits} unless told` }))
})

const relay = "/integrations/communication/adapters/:adapterId/relay"

export const RelayTriggersApi = HttpApiGroup.make("relayTriggers")
  .add(
    HttpApiEndpoint.get("list", `${relay}/workflow-triggers`)
      .setPath(AdapterPath)
      .addSuccess(Schema.Array(TriggerRule))
      .addError(CommunicationWire.AdapterNotFound)
      .addError(CommunicationWire.AdapterOfOtherKind)
      .annotate(Requires, "settings:read")
      .annotate(OpenApi.Description, "All rules of the adapter, oldest first, disabled ones among them.")
  )
  .add(
    HttpApiEndpoint.post("create", `${relay}/workflow-triggers`)
      .setPath(AdapterPath)
      .setPayload(TriggerBody)
      .addSuccess(created(TriggerRule))
      .addError(CommunicationWire.AdapterNotFound)
      .addError(CommunicationWire.AdapterOfOtherKind)
      .addError(Wire.TriggerMappingNotFound)
      .addError(Wire.TriggerMappingDisabled)
      .addError(Wire.TriggerWorkflowNotFound)
      .addError(Wire.TriggerRuleLimitReached)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Lets messages of a mapped channel start a workflow; needs `workflow:execute` too. `mappingId` names an enabled mapping of this adapter: an unknown one is a 404, a disabled one a 409. A root message starts the workflow when `contentIncludes` stands in it, capital and small letters alike, and when it is by `authorPubkey`; a rule that names neither fits every root. Replies, edits, deletions, reactions and what this service has sent itself start nothing. A message starts one run for each rule that it fits, in the name of the rule's maker, who must still be allowed to by then. Another field than these is a 400. An adapter has 100 rules at the most: one more takes the place of the one that is disabled for longest."
      )
  )
  .add(
    HttpApiEndpoint.post("disable", `${relay}/workflow-triggers/:ruleId/disable`)
      .setPath(RulePath)
      .addSuccess(TriggerRule)
      .addError(CommunicationWire.AdapterNotFound)
      .addError(CommunicationWire.AdapterOfOtherKind)
      .addError(Wire.TriggerRuleNotFound)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Switches a rule off for good; a message that it has fitted and that has not started a run yet starts none. Its audits and its runs stay. Repeating it changes nothing."
      )
  )
  .add(
    HttpApiEndpoint.get("audits", `${relay}/workflow-trigger-audits`)
      .setPath(AdapterPath)
      .setUrlParams(AuditFilter)
      .addSuccess(Schema.Array(TriggerAudit))
      .addError(CommunicationWire.AdapterNotFound)
      .addError(CommunicationWire.AdapterOfOtherKind)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "What became of each event for each rule, newest first. `waiting`: it fits, is written down under `causalKey`, and goes to the workflow through `workflow.pre-external-trigger`; then it is `launched` with `runId`, `denied` or `failed`, and stays `waiting` while this server runs no workflows. `replayed`: it came again, and the run is that of the first time. 500 audits are kept for an adapter; those of events that set off nothing go first."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Relay workflow triggers")
