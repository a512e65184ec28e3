/** The sealed secrets of team chats, and what messages set off: rules, what became of each message, what is to start. */
export const teamchatTriggers = [
  `CREATE TABLE teamchat_secrets (
    adapter_id TEXT PRIMARY KEY,
    webhook_url TEXT,
    credential TEXT
  ) WITHOUT ROWID`,
  `CREATE INDEX communication_threads_root ON communication_threads (community, root_squad_message_id)`,
  `CREATE TABLE relay_trigger_rules (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    adapter_id TEXT NOT NULL,
    mapping_id TEXT NOT NULL,
    workflow_id TEXT NOT NULL,
    content_includes TEXT,
    author_pubkey TEXT,
    enabled INTEGER NOT NULL,
    creator TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )`,
  `CREATE INDEX relay_trigger_rules_adapter ON relay_trigger_rules (adapter_id, seq)`,
  `CREATE INDEX relay_trigger_rules_mapping ON relay_trigger_rules (mapping_id, seq)`,
  `CREATE TABLE relay_trigger_audits (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    adapter_id TEXT NOT NULL,
    mapping_id TEXT NOT NULL,
    rule_id TEXT NOT NULL,
    workflow_id TEXT NOT NULL,
    causal_key TEXT NOT NULL,
    community TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    author_pubkey TEXT NOT NULL,
    kind INTEGER NOT NULL,
    disposition TEXT NOT NULL,
    reason_code TEXT NOT NULL,
    run_id TEXT,
    times INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )`,
  `CREATE INDEX relay_trigger_audits_key ON relay_trigger_audits (causal_key, disposition)`,
  `CREATE INDEX relay_trigger_audits_adapter ON relay_trigger_audits (adapter_id, seq)`,
  `CREATE TABLE external_triggers (
    causal_key TEXT PRIMARY KEY,
    adapter_id TEXT NOT NULL,
    rule_id TEXT NOT NULL,
    workflow_id TEXT NOT NULL,
    context TEXT NOT NULL,
    state TEXT NOT NULL,
    reason_code TEXT,
    run_id TEXT,
    attempts INTEGER NOT NULL,
    next_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE INDEX external_triggers_due ON external_triggers (next_at) WHERE next_at IS NOT NULL`
]
