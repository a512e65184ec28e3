import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const CircuitNotFound = Envelope.general(Errors.CircuitNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `There is no circuit ${error.circuitKey}; GET /health/deep lists those that there are`
})

export const CircuitOverrideNotFound = Envelope.general(Errors.CircuitOverrideNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `The circuit ${error.circuitKey} has no override`
})

export const CircuitOverrideLimitReached = Envelope.general(Errors.CircuitOverrideLimitReached, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `${error.limit} circuits are overridden, as many as can be: clear one first`
})
