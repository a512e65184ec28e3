/**
 * What may not come in any more, so that it can be kept beside the database too. What was revoked before this is noted
 * by what it is, so that an older copy of the board, which learns the same when it is brought up to date, learns less.
 */
export const revocations = [
  `CREATE TABLE revocations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    value TEXT
  )`,
  `INSERT INTO revocations (id, kind, subject, at)
    SELECT 'api-token:' || id, 'api-token', id, revoked_at FROM api_tokens WHERE revoked_at IS NOT NULL`,
  `INSERT INTO revocations (id, kind, subject, at)
    SELECT 'device:' || id, 'device', id, revoked_at FROM device_sessions WHERE revoked_at IS NOT NULL`,
  `INSERT INTO revocations (id, kind, subject, at, value)
    SELECT 'invitation:' || id, 'invitation', id, created_at, status FROM invitations WHERE status <> 'pending'`,
  `INSERT INTO revocations (id, kind, subject, at)
    SELECT 'member:' || id, 'member', id, updated_at FROM memberships WHERE active = 0`,
  `INSERT INTO revocations (id, kind, subject, at, value)
    SELECT 'member-role:' || id || ':' || updated_at, 'member-role', id, updated_at, role FROM memberships
    WHERE active = 1 AND role <> 'admin'`,
  `INSERT INTO revocations (id, kind, subject, at, value)
    SELECT 'owner:' || updated_at, 'owner', 'owner', updated_at, json FROM singletons WHERE name = 'owner'`
]
