import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const AgentProfileNotFound = Envelope.general(Errors.AgentProfileNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Profile ${error.profileId} does not exist`
})

export const AgentProfileLimitReached = Envelope.general(Errors.AgentProfileLimitReached, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `There are ${error.limit} profiles, and no room for more: delete one first`
})
