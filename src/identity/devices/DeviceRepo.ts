import { Effect, Schema } from "effect"
import { Permission, type Role } from "../../kernel/Permission.ts"
import { iso } from "../../kernel/Time.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import * as Revocation from "../../storage/revocations/Revocation.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { DeviceSession } from "./Device.ts"

interface DeviceRow {
  readonly id: string
  readonly workspaceId: string
  readonly membershipId: string
  readonly deviceId: string
  readonly deviceName: string
  readonly clientId: string
  readonly clientMode: DeviceSession["clientMode"]
  readonly capabilities: string
  readonly role: Role
  readonly scopes: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly revokedAt: number | null
}

const capabilitiesOf = columnReader(Schema.Array(Schema.String), "device_sessions", "capabilities")
const scopesOf = columnReader(Schema.Array(Permission), "device_sessions", "scopes")

const sessionOf = (row: DeviceRow, at: number): DeviceSession => ({
  ...row,
  capabilities: capabilitiesOf(row.capabilities, row.id),
  scopes: scopesOf(row.scopes, row.id),
  status: row.revokedAt !== null ? "revoked" : row.expiresAt <= at ? "expired" : "active",
  createdAt: iso(row.createdAt),
  expiresAt: iso(row.expiresAt),
  revokedAt: row.revokedAt === null ? null : iso(row.revokedAt)
})

const select = (sql: Compose) =>
  sql.unsafe(
    `SELECT d.id, m.workspace_id AS workspaceId, d.membership_id AS membershipId, d.device_id AS deviceId,
      d.device_name AS deviceName, d.client_id AS clientId, d.client_mode AS clientMode, d.capabilities, d.role,
      d.scopes, d.created_at AS createdAt, d.expires_at AS expiresAt, d.revoked_at AS revokedAt
    FROM device_sessions d JOIN memberships m ON m.id = d.membership_id`
  )

/** The newest device sessions of a workspace. */
export const list = (
  workspaceId: string,
  at: number,
  limit: number
): Effect.Effect<ReadonlyArray<DeviceSession>, never, Sql> =>
  Effect.map(
    rows<DeviceRow>(
      (sql) => sql`${select(sql)} WHERE m.workspace_id = ${workspaceId} ORDER BY d.seq DESC LIMIT ${limit}`
    ),
    (found) => found.map((row) => sessionOf(row, at))
  )

/** The device session of a workspace with an id. */
export const find = (
  workspaceId: string,
  id: string,
  at: number
): Effect.Effect<DeviceSession | undefined, never, Sql> =>
  Effect.map(
    firstRow<DeviceRow>((sql) => sql`${select(sql)} WHERE m.workspace_id = ${workspaceId} AND d.id = ${id}`),
    (found) => found && sessionOf(found, at)
  )

/** How many devices of a workspace count at a time. */
export const countActive = (workspaceId: string, at: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ n: number }>(
      sql`
        SELECT COUNT(*) AS n FROM device_sessions d JOIN memberships m ON m.id = d.membership_id
        WHERE m.workspace_id = ${workspaceId} AND d.revoked_at IS NULL AND d.expires_at > ${at}`
    ),
    (found) => found?.n ?? 0
  )

/** Adds a device session. */
export const insert = (session: DeviceSession, tokenHash: string): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO device_sessions (id, device_id, device_name, client_id, client_mode, capabilities, membership_id,
        role, scopes, token_hash, created_at, expires_at)
      VALUES (${session.id}, ${session.deviceId}, ${session.deviceName}, ${session.clientId}, ${session.clientMode},
        ${JSON.stringify(session.capabilities)}, ${session.membershipId}, ${session.role},
        ${JSON.stringify(session.scopes)}, ${tokenHash}, ${Date.parse(session.createdAt)},
        ${Date.parse(session.expiresAt)})`
  )

/** Ends a device session. */
export const revoke = (id: string, at: number): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    run(sql`UPDATE device_sessions SET revoked_at = ${at} WHERE id = ${id} AND revoked_at IS NULL`),
    Revocation.record({ kind: "device", subject: id, at })
  )

/** A pairing code that waits. */
export interface Pairing {
  readonly codeHash: string
  readonly membershipId: string
  readonly deviceName: string
  readonly expiresAt: number
}

/** Adds a pairing code; those that have expired go. */
export const insertPairing = (nonce: string, pairing: Pairing, at: number): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    run(sql`DELETE FROM pairing_codes WHERE expires_at <= ${at}`),
    run(
      sql`
        INSERT INTO pairing_codes (nonce, code_hash, membership_id, device_name, created_at, expires_at)
        VALUES (${nonce}, ${pairing.codeHash}, ${pairing.membershipId}, ${pairing.deviceName}, ${at},
          ${pairing.expiresAt})`
    )
  )

/** Takes the pairing code of a nonce, so that it is used once: undefined when there is none that counts. */
export const takePairing = (
  nonce: string,
  codeHash: string,
  at: number
): Effect.Effect<Pairing | undefined, never, Sql> =>
  Effect.tap(
    firstRow<Pairing>(
      sql`
        UPDATE pairing_codes SET used_at = ${at}
        WHERE nonce = ${nonce} AND code_hash = ${codeHash} AND used_at IS NULL AND expires_at > ${at}
        RETURNING code_hash AS codeHash, membership_id AS membershipId, device_name AS deviceName,
          expires_at AS expiresAt`
    ),
    (taken) =>
      taken === undefined ? Effect.void : Revocation.record({ kind: "pairing-code", subject: nonce, at })
  )

/** Spends the pairing code of a nonce, so that nobody can redeem it. */
export const spendPairing = (nonce: string, at: number): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE pairing_codes SET used_at = ${at} WHERE nonce = ${nonce} AND used_at IS NULL`)
