/** Squad chat: messages, what each actor has read, reactions, notifications of mentions. */
export const squadChat = [
  `CREATE TABLE squad_messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    message TEXT NOT NULL,
    system INTEGER NOT NULL,
    kind TEXT,
    model TEXT,
    tags TEXT NOT NULL,
    mentions TEXT NOT NULL,
    reply_to_id TEXT,
    root_id TEXT NOT NULL,
    task_id TEXT,
    run_id TEXT,
    pinned INTEGER NOT NULL,
    decision INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL
  )`,
  `CREATE INDEX squad_messages_agent ON squad_messages (agent, seq)`,
  `CREATE INDEX squad_messages_root ON squad_messages (root_id, seq)`,
  `CREATE INDEX squad_messages_age ON squad_messages (created_at)`,
  `CREATE TABLE squad_reactions (
    message_id TEXT NOT NULL REFERENCES squad_messages (id) ON DELETE CASCADE,
    reaction TEXT NOT NULL,
    actor TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (message_id, reaction, actor)
  ) WITHOUT ROWID`,
  `CREATE TABLE squad_reads (
    actor TEXT PRIMARY KEY,
    seq INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE notifications (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    actor TEXT NOT NULL,
    kind TEXT NOT NULL,
    message_id TEXT NOT NULL,
    read INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  )`,
  `CREATE INDEX notifications_actor ON notifications (actor, seq)`
]
