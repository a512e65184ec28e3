/**
 * Who wrote each comment, by an identity that nobody else can take: names on a card are as people choose them. It stands
 * beside the task's document, which is public as it is. Of a comment from before there is only its name.
 */
export const commentAuthors = [
  `CREATE TABLE comment_authors (
    comment_id TEXT PRIMARY KEY,
    task_id TEXT NOT NULL,
    author TEXT NOT NULL
  ) WITHOUT ROWID`,
  `CREATE INDEX comment_authors_task ON comment_authors (task_id)`
]
