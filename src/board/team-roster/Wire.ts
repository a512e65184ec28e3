import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const RosterNotFound = Envelope.general(Errors.RosterNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Roster ${error.rosterId} does not exist`
})

export const RosterLimitReached = Envelope.general(Errors.RosterLimitReached, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `There are ${error.limit} rosters, and no room for more: delete one first`
})
