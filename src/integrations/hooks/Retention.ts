import type { Retention } from "../../storage/Retention.ts"
import * as ExecutionRepo from "./ExecutionRepo.ts"

/** Deliveries of hooks are kept for a week, and the newest 10,000 for longer; one that still waits is never deleted. */
export const executionRetention: Retention = {
  name: "deliveries",
  span: { days: 7, count: 10_000 },
  forget: ExecutionRepo.forgetOld
}
