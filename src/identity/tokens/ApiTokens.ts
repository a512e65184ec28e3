import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { defaultLimit } from "../../kernel/Paging.ts"
import { iso, now } from "../../kernel/Time.ts"
import { hashOfToken, newToken } from "../../kernel/Token.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { MemberNotFound, WorkspaceNotFound } from "../members/Errors.ts"
import { granteeOf } from "../members/Units.ts"
import { type GrantTooWide, requireWithin } from "../principals/GrantLimit.ts"
import { Principals } from "../principals/Principals.ts"
import { grantedToToken, lower } from "../principals/Scopes.ts"
import { type ApiToken, type ApiTokenDraft, tokenLimit } from "./ApiToken.ts"
import * as ApiTokenRepo from "./ApiTokenRepo.ts"
import { ApiTokenLimit, ApiTokenNotFound, TokenExpiryPast } from "./Errors.ts"
import { ApiTokenCreated, ApiTokenRevoked } from "./Events.ts"

/** Tokens for agents, scripts and clients that are not on this machine. */
export interface ApiTokensService {
  readonly list: (limit?: number) => Effect.Effect<ReadonlyArray<ApiToken>>
  /** Makes a token; its secret is in the answer and nowhere else. */
  readonly create: (
    draft: ApiTokenDraft,
    by: ActorContext
  ) => Effect.Effect<
    ApiToken & { readonly token: string },
    WorkspaceNotFound | MemberNotFound | GrantTooWide | TokenExpiryPast | ApiTokenLimit
  >
  readonly revoke: (id: string, by: ActorContext) => Effect.Effect<void, ApiTokenNotFound>
}

export class ApiTokens extends Context.Tag("muster/ApiTokens")<ApiTokens, ApiTokensService>() {
  static readonly layer = Layer.effect(
    ApiTokens,
    Effect.gen(function* () {
      const storage = yield* Storage
      const principals = yield* Principals
      return ApiTokens.of({
        list: (limit = defaultLimit) => storage.read(ApiTokenRepo.list(limit)),
        create: Effect.fn("ApiTokens.create")(function* (draft, by) {
          const token = yield* newToken("token")
          const made = yield* principals.change(createToken(draft, hashOfToken(token), by))
          return { ...made, token }
        }),
        revoke: Effect.fn("ApiTokens.revoke")((id, by) => principals.change(revokeToken(id, by)))
      })
    })
  )
}

const createToken = (draft: ApiTokenDraft, tokenHash: string, by: ActorContext) =>
  Effect.gen(function* () {
    const at = yield* now
    if (draft.expiresAt !== undefined && draft.expiresAt <= at) {
      return yield* new TokenExpiryPast({
        issues: [{ path: "expiresAt", message: "Expected a time in the future" }]
      })
    }
    if ((yield* ApiTokenRepo.countValid(at)) >= tokenLimit) {
      return yield* new ApiTokenLimit({ limit: tokenLimit })
    }
    const member = yield* granteeOf(draft.workspaceId, draft.membershipId, by)
    const role = lower(draft.role, member.role)
    const scopes = grantedToToken(role, draft.scopes)
    yield* requireWithin({ role, scopes }, by)
    const token: ApiToken = {
      id: yield* newId("token"),
      name: draft.name,
      role,
      scopes,
      workspaceId: draft.workspaceId,
      membershipId: member.id,
      createdBy: by.name,
      createdAt: iso(at),
      expiresAt: draft.expiresAt === undefined ? null : iso(draft.expiresAt),
      revokedAt: null
    }
    yield* ApiTokenRepo.insert(token, tokenHash)
    yield* Journal.record(new ApiTokenCreated(about(token)), by)
    return token
  })

const revokeToken = (id: string, by: ActorContext): Effect.Effect<void, ApiTokenNotFound, Sql> =>
  Effect.gen(function* () {
    const token = yield* ApiTokenRepo.find(id)
    if (token === undefined || token.revokedAt !== null) return yield* new ApiTokenNotFound({ tokenId: id })
    yield* ApiTokenRepo.revoke(id, yield* now)
    yield* Journal.record(new ApiTokenRevoked(about(token)), by)
  })

const about = ({ id, membershipId, role, scopes }: ApiToken) => ({
  resourceId: id,
  membershipId,
  role,
  scopes
})
