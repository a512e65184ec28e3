import { Effect } from "effect"
import { firstRow, run, type Sql, sql } from "../../storage/Sql.ts"

/** Who wrote a comment; undefined for one from before authors were kept. */
export const find = (commentId: string): Effect.Effect<string | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ author: string }>(sql`SELECT author FROM comment_authors WHERE comment_id = ${commentId}`),
    (found) => found?.author
  )

/** Keeps who wrote a comment. */
export const insert = (taskId: string, commentId: string, author: string): Effect.Effect<void, never, Sql> =>
  run(
    sql`INSERT INTO comment_authors (comment_id, task_id, author) VALUES (${commentId}, ${taskId}, ${author})`
  )

/** Forgets who wrote a comment that is gone. */
export const remove = (commentId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM comment_authors WHERE comment_id = ${commentId}`)

/** Forgets who wrote the comments of a task that is gone. */
export const removeOf = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM comment_authors WHERE task_id = ${taskId}`)
