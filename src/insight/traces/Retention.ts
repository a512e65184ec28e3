import type { Retention } from "../../storage/Retention.ts"
import * as TraceRepo from "./TraceRepo.ts"

/** What attempts did and what the governance decided about them: a year. */
export const traceRetention: Retention = {
  name: "traces",
  span: { days: 365, count: 100_000 },
  forget: TraceRepo.forgetOld
}
