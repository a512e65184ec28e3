import { Effect } from "effect"
import { columnReader } from "../../storage/JsonColumn.ts"
import type { Past } from "../../storage/Retention.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { type Artifact, OutputPreview } from "./Artifact.ts"

const previewIn = columnReader(OutputPreview, "output_artifacts", "preview")

/** Adds an artifact; its blob is kept before. */
export const insert = (
  { attemptId, digest, id, media, originalBytes, preview, runId, sizeBytes, taskId }: Artifact,
  at: number
): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO output_artifacts (id, task_id, attempt_id, run_id, media, original_bytes, size_bytes, preview,
        digest, created_at)
      VALUES (${id}, ${taskId}, ${attemptId}, ${runId}, ${media}, ${originalBytes}, ${sizeBytes},
        ${JSON.stringify(preview)}, ${digest}, ${at})`
  )

/** The artifact with an id. */
export const find = (id: string): Effect.Effect<Artifact | undefined, never, Sql> =>
  Effect.map(
    firstRow<Omit<Artifact, "preview"> & { readonly preview: string }>(
      sql`
        SELECT id, task_id AS taskId, attempt_id AS attemptId, run_id AS runId, media,
          original_bytes AS originalBytes, size_bytes AS sizeBytes, preview, digest
        FROM output_artifacts WHERE id = ${id}`
    ),
    (found) => found && { ...found, preview: previewIn(found.preview, id) }
  )

/** Forgets the artifacts of a task; their files are swept. */
export const forget = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM output_artifacts WHERE task_id = ${taskId}`)

/** Forgets so many of the oldest artifacts, as far as they are old; their files are swept. */
export const forgetOld = ({ before, newest }: Past, size: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    rows<{ id: string }>(
      sql`
        DELETE FROM output_artifacts WHERE id IN (
          SELECT id FROM output_artifacts WHERE created_at < ${before} AND created_at <= COALESCE(
            (SELECT created_at FROM output_artifacts ORDER BY created_at DESC LIMIT 1 OFFSET ${newest}), 0)
          ORDER BY created_at LIMIT ${size})
        RETURNING id`
    ),
    (gone) => gone.length
  )
