import { Effect } from "effect"
import type { Role } from "../../kernel/Permission.ts"
import { iso } from "../../kernel/Time.ts"
import * as Revocation from "../../storage/revocations/Revocation.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Invitation } from "./Invitation.ts"

interface InvitationRow {
  readonly id: string
  readonly workspaceId: string
  readonly email: string
  readonly role: Role
  readonly status: "pending" | "accepted" | "revoked"
  readonly createdBy: string
  readonly createdAt: number
  readonly expiresAt: number
}

const invitationOf = ({ createdAt, expiresAt, status, ...row }: InvitationRow, at: number): Invitation => ({
  ...row,
  status: status === "pending" && expiresAt <= at ? "expired" : status,
  createdAt: iso(createdAt),
  expiresAt: iso(expiresAt)
})

/** The newest invitations of a workspace. */
export const list = (
  workspaceId: string,
  at: number,
  limit: number
): Effect.Effect<ReadonlyArray<Invitation>, never, Sql> =>
  Effect.map(
    rows<InvitationRow>(
      sql`
        SELECT id, workspace_id AS workspaceId, email, role, status, created_by AS createdBy,
          created_at AS createdAt, expires_at AS expiresAt
        FROM invitations WHERE workspace_id = ${workspaceId} ORDER BY seq DESC LIMIT ${limit}`
    ),
    (found) => found.map((row) => invitationOf(row, at))
  )

/** The invitation with an id, or with the hash of a token. */
export const find = (
  by: { readonly id: string } | { readonly tokenHash: string },
  at: number
): Effect.Effect<Invitation | undefined, never, Sql> =>
  Effect.map(
    firstRow<InvitationRow>(
      (sql) => sql`
        SELECT id, workspace_id AS workspaceId, email, role, status, created_by AS createdBy,
          created_at AS createdAt, expires_at AS expiresAt
        FROM invitations WHERE ${"id" in by ? sql`id = ${by.id}` : sql`token_hash = ${by.tokenHash}`}`
    ),
    (found) => found && invitationOf(found, at)
  )

/** How many invitations of a workspace are open. */
export const countOpen = (workspaceId: string, at: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ n: number }>(
      sql`
        SELECT COUNT(*) AS n FROM invitations
        WHERE workspace_id = ${workspaceId} AND status = 'pending' AND expires_at > ${at}`
    ),
    (found) => found?.n ?? 0
  )

/** Adds an invitation. */
export const insert = (invitation: Invitation, tokenHash: string): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO invitations (id, workspace_id, email, role, token_hash, status, created_by, created_at, expires_at)
      VALUES (${invitation.id}, ${invitation.workspaceId}, ${invitation.email}, ${invitation.role}, ${tokenHash},
        'pending', ${invitation.createdBy}, ${Date.parse(invitation.createdAt)},
        ${Date.parse(invitation.expiresAt)})`
  )

/** What an invitation can end as. */
export type Ended = "accepted" | "revoked"

/** Ends an invitation. */
export const end = (id: string, status: Ended, at: number): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    run(sql`UPDATE invitations SET status = ${status} WHERE id = ${id} AND status = 'pending'`),
    Revocation.record({ kind: "invitation", subject: id, at, value: status })
  )
