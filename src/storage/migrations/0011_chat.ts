/** Conversations with agents, and what was said in them. */
export const chat = [
  `CREATE TABLE chat_sessions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent TEXT,
    task_id TEXT,
    message_count INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )`,
  `CREATE INDEX chat_sessions_updated ON chat_sessions (updated_at, seq)`,
  `CREATE INDEX chat_sessions_task ON chat_sessions (task_id) WHERE task_id IS NOT NULL`,
  `CREATE TABLE chat_messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL,
    role TEXT NOT NULL,
    author TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL
  )`,
  `CREATE INDEX chat_messages_session ON chat_messages (session_id, seq)`
]
