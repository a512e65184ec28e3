import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { ObservationType } from "./Observation.ts"

export class ObservationCreated extends Event("observation.created", "observation", {
  taskId: Schema.String,
  type: ObservationType,
  importance: Schema.Int
}) {}

export class ObservationDeleted extends Event("observation.deleted", "observation", {
  taskId: Schema.String
}) {}
