import type { Retention } from "../../storage/Retention.ts"
import * as ReservationRepo from "./ReservationRepo.ts"

/** Reservations that are over: thirty days of them, and the last thousand, whatever their age. */
export const reservationRetention: Retention = {
  name: "admission",
  span: { days: 30, count: 1_000 },
  forget: ReservationRepo.forgetOld
}
