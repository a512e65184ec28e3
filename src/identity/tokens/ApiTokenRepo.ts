import { Effect, Schema } from "effect"
import { Permission, type Role } from "../../kernel/Permission.ts"
import { iso } from "../../kernel/Time.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import * as Revocation from "../../storage/revocations/Revocation.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { ApiToken } from "./ApiToken.ts"

interface TokenRow {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly scopes: string
  readonly workspaceId: string
  readonly membershipId: string
  readonly createdBy: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

const scopesOf = columnReader(Schema.Array(Permission), "api_tokens", "scopes")

const tokenOf = ({ createdAt, expiresAt, revokedAt, scopes, ...row }: TokenRow): ApiToken => ({
  ...row,
  scopes: scopesOf(scopes, row.id),
  createdAt: iso(createdAt),
  expiresAt: expiresAt === null ? null : iso(expiresAt),
  revokedAt: revokedAt === null ? null : iso(revokedAt)
})

const select = (sql: Compose) =>
  sql.unsafe(
    `SELECT t.id, t.name, t.role, t.scopes, m.workspace_id AS workspaceId, t.membership_id AS membershipId,
      t.created_by AS createdBy, t.created_at AS createdAt, t.expires_at AS expiresAt, t.revoked_at AS revokedAt
    FROM api_tokens t JOIN memberships m ON m.id = t.membership_id`
  )

/** The newest tokens. */
export const list = (limit: number): Effect.Effect<ReadonlyArray<ApiToken>, never, Sql> =>
  Effect.map(
    rows<TokenRow>((sql) => sql`${select(sql)} ORDER BY t.seq DESC LIMIT ${limit}`),
    (found) => found.map(tokenOf)
  )

/** The token with an id. */
export const find = (id: string): Effect.Effect<ApiToken | undefined, never, Sql> =>
  Effect.map(
    firstRow<TokenRow>((sql) => sql`${select(sql)} WHERE t.id = ${id}`),
    (found) => found && tokenOf(found)
  )

/** How many tokens count at a time. */
export const countValid = (at: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ n: number }>(
      sql`
        SELECT COUNT(*) AS n FROM api_tokens
        WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at})`
    ),
    (found) => found?.n ?? 0
  )

/** Adds a token. */
export const insert = (token: ApiToken, tokenHash: string): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO api_tokens (id, name, membership_id, role, scopes, token_hash, created_by, created_at, expires_at)
      VALUES (${token.id}, ${token.name}, ${token.membershipId}, ${token.role}, ${JSON.stringify(token.scopes)},
        ${tokenHash}, ${token.createdBy}, ${Date.parse(token.createdAt)},
        ${token.expiresAt === null ? null : Date.parse(token.expiresAt)})`
  )

/** Ends a token. */
export const revoke = (id: string, at: number): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    run(sql`UPDATE api_tokens SET revoked_at = ${at} WHERE id = ${id} AND revoked_at IS NULL`),
    Revocation.record({ kind: "api-token", subject: id, at })
  )
