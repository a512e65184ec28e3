import type { Retention } from "../../storage/retention/Retention.ts"
import * as ExecutionRepo from "./ExecutionRepo.ts"

/** What came of the deliveries of hooks: a week. One that still waits for its turn does not go. */
export const executionRetention: Retention = {
  name: "deliveries",
  span: { days: 7, count: 10_000 },
  forget: ExecutionRepo.forgetOld
}
