/*
 * For rosters, which name profiles, and for whoever brings profiles in from elsewhere: these run in the unit of the
 * import.
 */

export { find, names, ofAdapter, ofSource } from "./AgentProfileRepo.ts"
export { change, create, type ProfileDraft, remove, withContent } from "./ProfileWriting.ts"
