import { Effect } from "effect"
import type { Role } from "../../kernel/Permission.ts"
import { iso } from "../../kernel/Time.ts"
import * as Revocation from "../../storage/revocations/Revocation.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { lower } from "../principals/Scopes.ts"
import type { Member, User } from "./Member.ts"

/** A workspace as storage holds it. */
export interface WorkspaceRow {
  readonly id: string
  readonly name: string
  readonly createdAt: number
}

type MemberRow = Omit<Member, "createdAt" | "updatedAt"> & {
  readonly createdAt: number
  readonly updatedAt: number
}

const memberOf = (row: MemberRow): Member => ({
  ...row,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt)
})

const select = (sql: Compose) =>
  sql.unsafe(
    `SELECT m.id, m.workspace_id AS workspaceId, m.user_id AS userId, u.display_name AS displayName, u.email, m.role,
      m.created_at AS createdAt, m.updated_at AS updatedAt
    FROM memberships m JOIN users u ON u.id = m.user_id`
  )

/** All workspaces. */
export const workspaces: Effect.Effect<ReadonlyArray<WorkspaceRow>, never, Sql> = rows<WorkspaceRow>(
  sql`SELECT id, name, created_at AS createdAt FROM workspaces ORDER BY created_at, id`
)

/** The workspace with an id. */
export const workspace = (id: string): Effect.Effect<WorkspaceRow | undefined, never, Sql> =>
  firstRow<WorkspaceRow>(sql`SELECT id, name, created_at AS createdAt FROM workspaces WHERE id = ${id}`)

/** Who belongs to a workspace now. */
export const members = (workspaceId: string): Effect.Effect<ReadonlyArray<Member>, never, Sql> =>
  Effect.map(
    rows<MemberRow>(
      (sql) =>
        sql`${select(sql)} WHERE m.workspace_id = ${workspaceId} AND m.active = 1
          ORDER BY m.created_at, m.id LIMIT 1000`
    ),
    (found) => found.map(memberOf)
  )

/** Where a person belongs now. */
export const membershipsOf = (userId: string): Effect.Effect<ReadonlyArray<Member>, never, Sql> =>
  Effect.map(
    rows<MemberRow>(
      (sql) =>
        sql`${select(sql)} WHERE m.user_id = ${userId} AND m.active = 1 ORDER BY m.created_at LIMIT 100`
    ),
    (found) => found.map(memberOf)
  )

/** The membership of a workspace with an id, or of a user, while it is active. */
export const findMember = (
  workspaceId: string,
  who: { readonly id: string } | { readonly userId: string }
): Effect.Effect<Member | undefined, never, Sql> =>
  Effect.map(
    firstRow<MemberRow>(
      (sql) => sql`
        ${select(sql)} WHERE m.workspace_id = ${workspaceId} AND m.active = 1
          AND ${"id" in who ? sql`m.id = ${who.id}` : sql`m.user_id = ${who.userId}`}`
    ),
    (found) => found && memberOf(found)
  )

/** The admin who has belonged to a workspace longest. */
export const oldestAdmin = (workspaceId: string): Effect.Effect<Member | undefined, never, Sql> =>
  Effect.map(
    firstRow<MemberRow>(
      (sql) => sql`
        ${select(sql)} WHERE m.workspace_id = ${workspaceId} AND m.active = 1 AND m.role = 'admin'
          ORDER BY m.created_at, m.id LIMIT 1`
    ),
    (found) => found && memberOf(found)
  )

/** Whether a workspace has an admin other than this member. */
export const hasOtherAdmin = (workspaceId: string, memberId: string): Effect.Effect<boolean, never, Sql> =>
  Effect.map(
    firstRow<{ id: string }>(
      sql`
        SELECT id FROM memberships
        WHERE workspace_id = ${workspaceId} AND active = 1 AND role = 'admin' AND id <> ${memberId} LIMIT 1`
    ),
    (found) => found !== undefined
  )

/** Adds a membership. */
export const insertMember = (
  member: { readonly id: string; readonly workspaceId: string; readonly userId: string; readonly role: Role },
  at: number
): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO memberships (id, workspace_id, user_id, role, active, created_at, updated_at)
      VALUES (${member.id}, ${member.workspaceId}, ${member.userId}, ${member.role}, 1, ${at}, ${at})`
  )

/** Gives a member another role. */
export const setRole = (id: string, role: Role, at: number): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    run(sql`UPDATE memberships SET role = ${role}, updated_at = ${at} WHERE id = ${id}`),
    Revocation.record({ kind: "member-role", subject: id, at, value: role })
  )

/** Lowers the role of a member, if it has a higher one. */
export const lowerRole = (id: string, role: Role, at: number): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(
    firstRow<{ role: Role }>(sql`SELECT role FROM memberships WHERE id = ${id} AND active = 1`),
    (found) =>
      found === undefined || lower(found.role, role) === found.role
        ? Effect.void
        : run(sql`UPDATE memberships SET role = ${role}, updated_at = ${at} WHERE id = ${id}`)
  )

/** Ends a membership, and everything that came in by it: a later membership of the same person opens none of it. */
export const endMember = (id: string, at: number): Effect.Effect<void, never, Sql> =>
  Effect.all(
    [
      run(sql`UPDATE memberships SET active = 0, updated_at = ${at} WHERE id = ${id}`),
      run(sql`UPDATE api_tokens SET revoked_at = ${at} WHERE membership_id = ${id} AND revoked_at IS NULL`),
      run(
        sql`UPDATE device_sessions SET revoked_at = ${at} WHERE membership_id = ${id} AND revoked_at IS NULL`
      ),
      run(sql`DELETE FROM pairing_codes WHERE membership_id = ${id}`),
      run(
        sql`
          DELETE FROM password_sessions WHERE user_id = (
            SELECT user_id FROM memberships WHERE id = ${id} AND workspace_id = 'default')`
      ),
      Revocation.record({ kind: "member", subject: id, at })
    ],
    { discard: true }
  )

/** The person with an id. */
export const user = (id: string): Effect.Effect<User | undefined, never, Sql> =>
  firstRow<User>(sql`SELECT id, display_name AS displayName, email FROM users WHERE id = ${id}`)

/** The person with an address, in upper or lower case. */
export const userByEmail = (email: string): Effect.Effect<User | undefined, never, Sql> =>
  firstRow<User>(sql`SELECT id, display_name AS displayName, email FROM users WHERE email = ${email}`)

/** Adds a person. */
export const insertUser = ({ displayName, email, id }: User, at: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO users (id, email, display_name, created_at) VALUES (${id}, ${email}, ${displayName}, ${at})`
  )
