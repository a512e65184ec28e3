import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const TriggerMappingNotFound = Envelope.general(Errors.TriggerMappingNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Mapping ${error.mappingId} does not exist at this adapter`
})

export const TriggerMappingDisabled = Envelope.general(Errors.TriggerMappingDisabled, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Mapping ${error.mappingId} is switched off: enable its channel first`
})

export const TriggerWorkflowNotFound = Envelope.general(Errors.TriggerWorkflowNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Workflow ${error.workflowId} does not exist`
})

export const TriggerRuleNotFound = Envelope.general(Errors.TriggerRuleNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Rule ${error.ruleId} does not exist at this adapter`
})

export const TriggerRuleLimitReached = Envelope.general(Errors.TriggerRuleLimitReached, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `The adapter has ${error.limit} rules, as many as it can: disable one that is not needed`
})
