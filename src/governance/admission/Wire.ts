import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const ReservationNotFound = Envelope.general(Errors.ReservationNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: () => "No reservation has this id"
})
