import * as Idempotency from "../Idempotency.ts"
import type { Retention } from "../Retention.ts"

/**
 * What operations answered, for those who ask again: a month, and never less than the week that decision Q11 promises. A
 * key that comes later begins a new operation. Their number is no measure: a promise does not end because many use it.
 */
export const oldOperations: Retention = {
  name: "operations",
  span: { days: 30, count: 0 },
  forget: Idempotency.forgetOld
}
