import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const AgentsInvalid = Envelope.general(Errors.AgentsInvalid, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})

export const AgentNotConfigured = Envelope.general(Errors.AgentNotConfigured, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `No agent of type ${error.agent} is configured; PUT /api/config/agents adds it`
})
