import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { AuditedSource } from "../agent-profiles/ImportSource.ts"

/** What every event of a roster says: the revision that it left, how many it names, and where it comes from. */
const rosterChange = { revision: Schema.Int, members: Schema.Int, source: AuditedSource }

export class TeamRosterCreated extends Event("team-roster.created", "team-roster", rosterChange) {}

export class TeamRosterUpdated extends Event("team-roster.updated", "team-roster", rosterChange) {}

/** The revision is the one that went. */
export class TeamRosterDeleted extends Event("team-roster.deleted", "team-roster", rosterChange) {}
