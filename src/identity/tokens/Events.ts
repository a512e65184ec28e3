import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { ApiToken } from "./ApiToken.ts"

const token = {
  membershipId: Schema.String,
  role: ApiToken.fields.role,
  scopes: ApiToken.fields.scopes
}

export class ApiTokenCreated extends Event("api-token.created", "api-token", token) {}

export class ApiTokenRevoked extends Event("api-token.revoked", "api-token", token) {}
