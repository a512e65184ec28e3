import { Schema } from "effect"
import { defaultWorkspace } from "../../kernel/Actor.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { optional } from "../../kernel/Optional.ts"
import { Permission, Role } from "../../kernel/Permission.ts"
import { everyIssue, listOf, nonBlank } from "../../kernel/Text.ts"
import { Instant, Timestamp } from "../../kernel/Time.ts"

/** The most tokens that count at once. */
export const tokenLimit = 1_000

/** A token for the API, without its secret. It goes into `X-API-Key`. */
export const ApiToken = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  role: Role,
  scopes: Schema.Array(Permission),
  workspaceId: Schema.String,
  membershipId: Schema.String,
  createdBy: Schema.String,
  createdAt: Timestamp,
  expiresAt: Schema.NullOr(Timestamp),
  revokedAt: Schema.NullOr(Timestamp)
}).annotations({ identifier: "ApiToken" })
export type ApiToken = typeof ApiToken.Type

/** The body of a new token. Without scopes it has all permissions of its role. */
export const ApiTokenDraft = Schema.Struct({
  name: nonBlank(100),
  role: Role,
  scopes: optional(listOf(Permission, 50)),
  workspaceId: Schema.optionalWith(IdParam, { default: () => defaultWorkspace }),
  membershipId: optional(IdParam),
  expiresAt: optional(Instant)
}).annotations({ identifier: "ApiTokenDraft", ...everyIssue })
export type ApiTokenDraft = typeof ApiTokenDraft.Type

/** A token as its maker sees it, once: with the secret. */
export const NewApiToken = Schema.Struct({
  ...ApiToken.fields,
  token: Schema.String.annotations({ description: "Shown here and never again" })
}).annotations({ identifier: "NewApiToken" })
