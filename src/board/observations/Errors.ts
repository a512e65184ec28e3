import { Schema } from "effect"

/** No observation has this id, or it belongs to another task than the path says. */
export class ObservationNotFound extends Schema.TaggedError<ObservationNotFound>()("ObservationNotFound", {
  observationId: Schema.String
}) {}
