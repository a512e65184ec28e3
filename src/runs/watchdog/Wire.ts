import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const FindingNotFound = Envelope.general(Errors.FindingNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: ({ findingId }) => `The task has no finding ${findingId}`
})

export const FindingDecided = Envelope.general(Errors.FindingDecided, {
  status: 409,
  code: "CONFLICT",
  message: ({ findingId }) => `Somebody has decided about finding ${findingId} already`
})
