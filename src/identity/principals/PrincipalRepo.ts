import { Effect, Schema } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { Permission, permissionsOf, type Role } from "../../kernel/Permission.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import { rows, type Sql, sql } from "../../storage/Sql.ts"
import { effective } from "./Scopes.ts"

/** Somebody who can prove who they are with a secret, and until when. */
export interface Principal {
  readonly kind: "session" | "token" | "device"
  readonly actor: ActorContext
  /** When the secret stops counting, in milliseconds since the epoch. */
  readonly expiresAt: number | undefined
  /** The key that signed it, which must count as well. */
  readonly signingKey?: string
}

/** What a password session may do beyond the API (spec 1-core, Authentication, rule 7). */
export const sessionCapabilities = ["local-agent:run"]

const Scopes = Schema.Array(Permission)
const tokenScopesOf = columnReader(Scopes, "api_tokens", "scopes")
const deviceScopesOf = columnReader(Scopes, "device_sessions", "scopes")
const capabilitiesOf = columnReader(Schema.Array(Schema.String), "device_sessions", "capabilities")

interface MemberColumns {
  readonly tokenHash: string
  readonly userId: string
  readonly displayName: string
  readonly workspaceId: string
  readonly memberRole: Role
}

interface GrantColumns extends MemberColumns {
  readonly id: string
  readonly role: Role
  readonly scopes: string
}

const sessions = (at: number) =>
  Effect.map(
    rows<
      MemberColumns & { readonly id: string; readonly signingKey: string; readonly expiresAt: number }
    >(sql`
    SELECT s.id, s.token_hash AS tokenHash, s.signing_key AS signingKey, s.expires_at AS expiresAt,
      u.id AS userId, u.display_name AS displayName, m.workspace_id AS workspaceId, m.role AS memberRole
    FROM password_sessions s JOIN users u ON u.id = s.user_id
      JOIN memberships m ON m.user_id = u.id AND m.active = 1 AND m.workspace_id = 'default'
    WHERE s.expires_at > ${at}`),
    (found) =>
      found.map((row): readonly [string, Principal] => [
        row.tokenHash,
        {
          kind: "session",
          expiresAt: row.expiresAt,
          signingKey: row.signingKey,
          actor: {
            ...memberOf(row),
            role: row.memberRole,
            permissions: permissionsOf(row.memberRole),
            authMethod: "password-session",
            actorType: "user",
            capabilities: sessionCapabilities,
            sessionId: row.id
          }
        }
      ])
  )

const tokens = (at: number) =>
  Effect.map(
    rows<GrantColumns & { readonly name: string; readonly expiresAt: number | null }>(sql`
    SELECT t.id, t.name, t.token_hash AS tokenHash, t.role, t.scopes, t.expires_at AS expiresAt, u.id AS userId,
      u.display_name AS displayName, m.workspace_id AS workspaceId, m.role AS memberRole
    FROM api_tokens t JOIN memberships m ON m.id = t.membership_id AND m.active = 1 JOIN users u ON u.id = m.user_id
    WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ${at})`),
    (found) =>
      found.map((row): readonly [string, Principal] => [
        row.tokenHash,
        {
          kind: "token",
          expiresAt: row.expiresAt ?? undefined,
          actor: {
            ...memberOf(row),
            ...rightsOf(row, tokenScopesOf),
            name: row.name,
            tokenName: row.name,
            authMethod: "api-token",
            actorType: row.role === "agent" ? "agent" : "user"
          }
        }
      ])
  )

interface DeviceColumns extends GrantColumns {
  readonly deviceId: string
  readonly clientId: string
  readonly clientMode: string
  readonly capabilities: string
  readonly expiresAt: number
}

const devices = (at: number) =>
  Effect.map(
    rows<DeviceColumns>(sql`
    SELECT d.id, d.device_id AS deviceId, d.client_id AS clientId, d.client_mode AS clientMode, d.capabilities,
      d.token_hash AS tokenHash, d.role, d.scopes, d.expires_at AS expiresAt, u.id AS userId,
      u.display_name AS displayName, m.workspace_id AS workspaceId, m.role AS memberRole
    FROM device_sessions d JOIN memberships m ON m.id = d.membership_id AND m.active = 1
      JOIN users u ON u.id = m.user_id
    WHERE d.revoked_at IS NULL AND d.expires_at > ${at}`),
    (found) =>
      found.map((row): readonly [string, Principal] => [
        row.tokenHash,
        {
          kind: "device",
          expiresAt: row.expiresAt,
          actor: {
            ...memberOf(row),
            ...rightsOf(row, deviceScopesOf),
            authMethod: "device-session",
            actorType: "user",
            device: {
              deviceSessionId: row.id,
              deviceId: row.deviceId,
              clientId: row.clientId,
              clientMode: row.clientMode
            },
            capabilities: capabilitiesOf(row.capabilities, row.id)
          }
        }
      ])
  )

const memberOf = ({ displayName, userId, workspaceId }: MemberColumns) => ({
  name: displayName,
  userId,
  workspaceId
})

const rightsOf = (
  { id, memberRole, role, scopes, workspaceId }: GrantColumns,
  scopesOf: typeof tokenScopesOf
) => effective({ role, scopes: scopesOf(scopes, id) }, memberRole, workspaceId)

/** Everybody who can come in with a secret that this server made and that has not expired, by the secret's hash. */
export const all = (at: number): Effect.Effect<ReadonlyMap<string, Principal>, never, Sql> =>
  Effect.map(Effect.all([sessions(at), tokens(at), devices(at)]), (found) => new Map(found.flat()))
