/**
 * Who may come in. Of everything that opens the door only hashes are stored. The default workspace and its owner are
 * there from the start: the owner is whoever holds this machine.
 */
export const identity = [
  `CREATE TABLE users (
    id TEXT PRIMARY KEY,
    email TEXT COLLATE NOCASE UNIQUE,
    display_name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  )`,
  `CREATE TABLE workspaces (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL)`,
  `CREATE TABLE memberships (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    role TEXT NOT NULL,
    active INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )`,
  `CREATE UNIQUE INDEX memberships_active ON memberships (workspace_id, user_id) WHERE active = 1`,
  `CREATE TABLE invitations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace_id TEXT NOT NULL,
    email TEXT NOT NULL COLLATE NOCASE,
    role TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  )`,
  `CREATE TABLE password_sessions (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    signing_key TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  )`,
  `CREATE TABLE api_tokens (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    membership_id TEXT NOT NULL,
    role TEXT NOT NULL,
    scopes TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  )`,
  `CREATE TABLE pairing_codes (
    nonce TEXT PRIMARY KEY,
    code_hash TEXT NOT NULL,
    membership_id TEXT NOT NULL,
    device_name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
  )`,
  `CREATE TABLE device_sessions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    device_id TEXT NOT NULL,
    device_name TEXT NOT NULL,
    client_id TEXT NOT NULL,
    client_mode TEXT NOT NULL,
    capabilities TEXT NOT NULL,
    membership_id TEXT NOT NULL,
    role TEXT NOT NULL,
    scopes TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER
  )`,
  `INSERT INTO workspaces (id, name, created_at) VALUES ('default', 'Default', 0)`,
  `INSERT INTO users (id, email, display_name, created_at) VALUES ('owner', NULL, 'Owner', 0)`,
  `INSERT INTO memberships (id, workspace_id, user_id, role, active, created_at, updated_at)
    VALUES ('member_owner', 'default', 'owner', 'admin', 1, 0, 0)`
]
