import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { CeremonyType } from "./Ceremony.ts"

/** What every event of a ceremony says: what is held, and about which task. */
const ceremonyChange = { taskId: Schema.String, type: CeremonyType }

export class CeremonyCreated extends Event("ceremony.created", "ceremony", ceremonyChange) {}

export class CeremonyHeld extends Event("ceremony.completed", "ceremony", ceremonyChange) {}
