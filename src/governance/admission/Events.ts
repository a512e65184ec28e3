import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { Capacity } from "../capacity/Capacity.ts"
import { ReleaseReason } from "./Reservation.ts"

/** A run was let in, and holds capacity. */
export class AdmissionReserved extends Event("admission.reserved", "admission", {
  taskId: Schema.String,
  attemptId: Schema.String,
  source: Schema.String,
  provider: Schema.String,
  capacity: Capacity
}) {}

/** Capacity was given back. */
export class AdmissionReleased extends Event("admission.released", "admission", {
  attemptId: Schema.String,
  reason: ReleaseReason
}) {}

/** Nobody held on to capacity, and it was taken back. */
export class AdmissionExpired extends Event("admission.expired", "admission", {
  attemptId: Schema.String
}) {}
