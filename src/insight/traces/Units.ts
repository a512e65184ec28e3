import * as TraceRepo from "./TraceRepo.ts"

export { recordGovernance } from "./TraceRecord.ts"

/** Takes away what was traced of a task that is deleted for good. */
export const forgetTask = TraceRepo.removeAllOf
