import { Schema } from "effect"

/** No API token has this id. */
export class ApiTokenNotFound extends Schema.TaggedError<ApiTokenNotFound>()("ApiTokenNotFound", {
  tokenId: Schema.String
}) {}

/** The token would have ended before it began. */
export class TokenExpiryPast extends Schema.TaggedError<TokenExpiryPast>()("TokenExpiryPast", {
  issues: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))
}) {}

/** As many tokens count as can. */
export class ApiTokenLimit extends Schema.TaggedError<ApiTokenLimit>()("ApiTokenLimit", {
  limit: Schema.Int
}) {}
