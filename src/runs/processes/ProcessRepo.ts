import { Effect } from "effect"
import type { ProcessIdentity } from "../../kernel/process/Identity.ts"
import { rows, run, type Sql, sql } from "../../storage/Sql.ts"

/** A process of an attempt, as it was written down before its prompt was sent. */
export interface RecordedProcess {
  readonly attemptId: string
  /** Undefined when the server died before the process had a number, or had just got it. */
  readonly identity: ProcessIdentity | undefined
  /** The server that started it. */
  readonly server: ProcessIdentity
  /** The directory that it works in. */
  readonly place: string
  /** In milliseconds since the epoch. */
  readonly recordedAt: number
}

interface ProcessRow {
  readonly attemptId: string
  readonly pid: number | null
  readonly startTime: string | null
  readonly bootId: string | null
  readonly serverPid: number
  readonly serverStartTime: string
  readonly place: string
  readonly recordedAt: number
}

const processOf = ({
  bootId,
  pid,
  serverPid,
  serverStartTime,
  startTime,
  ...row
}: ProcessRow): RecordedProcess => ({
  ...row,
  server: { pid: serverPid, startTime: serverStartTime, bootId },
  identity: pid === null || startTime === null ? undefined : { pid, startTime, bootId }
})

/** All that is written down, oldest first. */
export const all: Effect.Effect<ReadonlyArray<RecordedProcess>, never, Sql> = Effect.map(
  rows<ProcessRow>(
    sql`
      SELECT attempt_id AS attemptId, pid, start_time AS startTime, boot_id AS bootId,
        server_pid AS serverPid, server_start_time AS serverStartTime, place, recorded_at AS recordedAt
      FROM processes ORDER BY recorded_at, attempt_id`
  ),
  (found) => found.map(processOf)
)

/** Writes a process down, in place of what was known of its attempt. */
export const put = ({
  attemptId,
  identity,
  place,
  recordedAt,
  server
}: RecordedProcess): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO processes (attempt_id, pid, start_time, boot_id, server_pid, server_start_time, place, recorded_at)
      VALUES (${attemptId}, ${identity?.pid ?? null}, ${identity?.startTime ?? null},
        ${(identity ?? server).bootId}, ${server.pid}, ${server.startTime}, ${place}, ${recordedAt})
      ON CONFLICT (attempt_id) DO UPDATE SET pid = excluded.pid, start_time = excluded.start_time,
        boot_id = excluded.boot_id, server_pid = excluded.server_pid,
        server_start_time = excluded.server_start_time, place = excluded.place, recorded_at = excluded.recorded_at`
  )

/** Strikes out the process of an attempt. */
export const remove = (attemptId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM processes WHERE attempt_id = ${attemptId}`)
