export { advance, asked, ingest, liveSource, type Source } from "./IngestEvents.ts"
export {
  count as countPending,
  longWaiting,
  missing as missingParents,
  removeAll as forgetPending
} from "./PendingRepo.ts"
export { attachToRoot } from "./Projection.ts"
