import type { Retention } from "../../storage/Retention.ts"
import * as DeliveryRepo from "./DeliveryRepo.ts"

/** What became of messages that came in from elsewhere: the last ten thousand, whatever their age. */
export const receiptRetention: Retention = {
  name: "receipts",
  span: { days: 0, count: 10_000 },
  forget: DeliveryRepo.forgetOld
}
