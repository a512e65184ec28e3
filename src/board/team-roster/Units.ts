/* For whoever brings rosters in from elsewhere: these run in the unit of the import. */

export { find, ofAdapter, ofSource } from "./RosterRepo.ts"
export { change, create, type RosterDraft, remove, withContent } from "./RosterWriting.ts"
