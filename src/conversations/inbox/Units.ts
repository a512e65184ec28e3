export {
  count as countPending,
  longWaiting,
  missing as missingParents,
  removeAll as forgetPending
} from "./PendingRepo.ts"
export { attachToRoot } from "./Projection.ts"
