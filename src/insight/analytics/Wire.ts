import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const PeriodInvalid = Envelope.general(Errors.PeriodInvalid, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})
