import type { TaskRemoval } from "../tasks/TaskRemoval.ts"
import * as CeremonyRepo from "./CeremonyRepo.ts"

export { callOnce } from "./CallCeremony.ts"
export { isHeld } from "./CeremonyRepo.ts"

/** A task that is reopened needs new ceremonies: those that were held count no longer. */
export const spendHeld = CeremonyRepo.spend

/** The ceremonies of a task go with it. */
export const taskRemoval: TaskRemoval = { forget: CeremonyRepo.removeAllOf }
