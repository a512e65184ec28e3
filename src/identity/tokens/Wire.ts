import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const ApiTokenNotFound = Envelope.general(Errors.ApiTokenNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `API token ${error.tokenId} does not exist`
})

export const TokenExpiryPast = Envelope.general(Errors.TokenExpiryPast, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})

export const ApiTokenLimit = Envelope.general(Errors.ApiTokenLimit, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `${error.limit} API tokens count already: delete some of them first`
})
