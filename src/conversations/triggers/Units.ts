export { considerTriggers } from "./ConsiderTriggers.ts"
export { removeOf as forgetRules } from "./RuleRepo.ts"
