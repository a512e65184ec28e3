export { counts as countOpen, openIn as countOpenIn } from "./OutgoingRepo.ts"
export { settleEcho } from "./SettleDelivery.ts"
