/* For whoever starts agents or chooses among them: what is configured, and what was found out about it. */

export { current } from "./AgentsConfig.ts"
export { find as probeOf } from "./ProbeRepo.ts"
