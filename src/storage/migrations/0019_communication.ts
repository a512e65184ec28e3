/** Adapters to other conversations, what was said there, and everything on its way. */
export const communication = [
  `ALTER TABLE squad_messages ADD COLUMN external TEXT`,
  `CREATE TABLE communication_adapters (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    json TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE communication_deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    adapter_id TEXT NOT NULL,
    direction TEXT NOT NULL,
    status TEXT NOT NULL,
    reason_code TEXT,
    detail TEXT,
    squad_message_id TEXT,
    event_id TEXT,
    kind INTEGER,
    pubkey TEXT,
    event_at INTEGER,
    channel_id TEXT,
    community TEXT,
    actor TEXT,
    times INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )`,
  `CREATE UNIQUE INDEX communication_deliveries_sent ON communication_deliveries (adapter_id, squad_message_id)
    WHERE direction = 'outbound'`,
  `CREATE UNIQUE INDEX communication_deliveries_seen ON communication_deliveries (community, event_id, status)
    WHERE direction = 'inbound'`,
  `CREATE TABLE communication_threads (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    community TEXT NOT NULL,
    event_id TEXT NOT NULL,
    root_event_id TEXT NOT NULL,
    adapter_id TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    direction TEXT NOT NULL,
    squad_message_id TEXT NOT NULL,
    root_squad_message_id TEXT NOT NULL,
    created_at INTEGER NOT NULL
  )`,
  `CREATE UNIQUE INDEX communication_threads_event ON communication_threads (community, event_id)`,
  `CREATE INDEX communication_threads_message ON communication_threads (squad_message_id, community)`,
  `CREATE TABLE relay_evidence (
    adapter_id TEXT PRIMARY KEY,
    json TEXT NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE relay_mappings (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    adapter_id TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    actor TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    cursor_at INTEGER,
    cursor_id TEXT,
    confirmed_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (adapter_id, channel_id)
  )`,
  `CREATE UNIQUE INDEX relay_mappings_enabled ON relay_mappings (adapter_id) WHERE enabled = 1`,
  `CREATE TABLE relay_outgoing (
    delivery_id TEXT PRIMARY KEY,
    adapter_id TEXT NOT NULL,
    community TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event TEXT NOT NULL,
    in_flight INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    next_at INTEGER
  ) WITHOUT ROWID`,
  `CREATE INDEX relay_outgoing_due ON relay_outgoing (next_at) WHERE next_at IS NOT NULL`,
  `CREATE TABLE relay_notes (
    community TEXT NOT NULL,
    event_id TEXT NOT NULL,
    kind INTEGER NOT NULL,
    author TEXT NOT NULL,
    target_event_id TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (community, event_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX relay_notes_target ON relay_notes (community, target_event_id, created_at)
    WHERE target_event_id IS NOT NULL`,
  `CREATE TABLE relay_pending (
    mapping_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    community TEXT NOT NULL,
    root_event_id TEXT NOT NULL,
    waits_for TEXT NOT NULL,
    event TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (mapping_id, created_at, event_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX relay_pending_wait ON relay_pending (community, waits_for)`,
  `CREATE INDEX relay_pending_event ON relay_pending (community, event_id)`
]
