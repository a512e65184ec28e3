import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const AdapterDisabled = Envelope.general(Errors.AdapterDisabled, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Adapter ${error.adapterId} is switched off: PUT it with enabled true`
})
