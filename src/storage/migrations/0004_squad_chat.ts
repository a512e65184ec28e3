/**
 * Squad chat: messages, what each actor has read, reactions, notifications of mentions. `search_text` is the folded
 * author and text; `actor_key` is the folded name, as mentions are typed by hand.
 */
export const squadChat = [
  `CREATE TABLE squad_messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    message TEXT NOT NULL,
    search_text TEXT NOT NULL,
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
  `CREATE INDEX squad_messages_agent ON squad_messages (agent, created_at)`,
  `CREATE INDEX squad_messages_root ON squad_messages (root_id, seq)`,
  `CREATE INDEX squad_messages_age ON squad_messages (created_at)`,
  `CREATE TABLE squad_reactions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id TEXT NOT NULL REFERENCES squad_messages (id) ON DELETE CASCADE,
    reaction TEXT NOT NULL,
    actor TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (message_id, reaction, actor)
  )`,
  `CREATE TABLE squad_reads (
    actor TEXT PRIMARY KEY,
    seq INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE notifications (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    actor TEXT NOT NULL,
    actor_key TEXT NOT NULL,
    kind TEXT NOT NULL,
    message_id TEXT NOT NULL REFERENCES squad_messages (id) ON DELETE CASCADE,
    read INTEGER NOT NULL
  )`,
  `CREATE INDEX notifications_actor ON notifications (actor_key, seq)`
]
