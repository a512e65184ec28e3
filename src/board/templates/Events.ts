import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"

/** What every event of a template says: the revision that it left, and the fields that were named. */
const templateChange = { revision: Schema.Int, fields: Schema.Array(Schema.String) }

export class TemplateCreated extends Event("template.created", "template", templateChange) {}

export class TemplateUpdated extends Event("template.updated", "template", templateChange) {}

/** The revision is the one that went, and no field was named. */
export class TemplateDeleted extends Event("template.deleted", "template", templateChange) {}
