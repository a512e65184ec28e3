import type { Effect } from "effect"
import { firstRow, run, type Sql, sql } from "../../storage/Sql.ts"

/** What the probes of a program have found. */
export interface ProbeRow {
  readonly state: "passed" | "failed" | "unknown"
  readonly version: string | null
  readonly build: string | null
  /** It rises when another state, version or build is found. */
  readonly revision: number
  /** Which file was asked, as it was then: another one is another program. */
  readonly stamp: string
  /** When this was found for the first time, and when the program was last asked. */
  readonly probedAt: number
  readonly checkedAt: number
}

/** How many commands are remembered: administrators alone name programs, and a board has few. */
const limit = 200

/** What was found about the program of a command. */
export const find = (command: string): Effect.Effect<ProbeRow | undefined, never, Sql> =>
  firstRow<ProbeRow>(
    sql`
      SELECT state, version, build, revision, stamp, probed_at AS probedAt, checked_at AS checkedAt
      FROM program_probes WHERE command = ${command}`
  )

export const put = (command: string, row: ProbeRow): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO program_probes (command, state, version, build, revision, stamp, probed_at, checked_at)
      VALUES (${command}, ${row.state}, ${row.version}, ${row.build}, ${row.revision}, ${row.stamp},
        ${row.probedAt}, ${row.checkedAt})
      ON CONFLICT (command) DO UPDATE SET state = excluded.state, version = excluded.version,
        build = excluded.build, revision = excluded.revision, stamp = excluded.stamp,
        probed_at = excluded.probed_at, checked_at = excluded.checked_at`
  )

/** Forgets the programs that were asked the longest ago, beyond those that are remembered. */
export const trim: Effect.Effect<void, never, Sql> = run(
  sql`
    DELETE FROM program_probes WHERE command IN (
      SELECT command FROM program_probes ORDER BY checked_at DESC, command LIMIT -1 OFFSET ${limit})`
)
