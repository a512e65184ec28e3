import { Schema } from "effect"

/** No reservation has this id. */
export class ReservationNotFound extends Schema.TaggedError<ReservationNotFound>()("ReservationNotFound", {
  reservationId: Schema.String
}) {}
