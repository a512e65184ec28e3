import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const ObservationNotFound = Envelope.general(Errors.ObservationNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Observation ${error.observationId} does not exist`
})
