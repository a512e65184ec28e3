import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const TraceNotFound = Envelope.general(Errors.TraceNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Nothing was traced under ${error.traceId}`
})
