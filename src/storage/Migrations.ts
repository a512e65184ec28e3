import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { Data, Effect } from "effect"
import { foundation } from "./migrations/0001_foundation.ts"
import { tasks } from "./migrations/0002_tasks.ts"
import { board } from "./migrations/0003_board.ts"
import { squadChat } from "./migrations/0004_squad_chat.ts"
import { telemetry } from "./migrations/0005_telemetry.ts"
import { imports } from "./migrations/0006_imports.ts"
import { projections } from "./migrations/0007_projections.ts"
import { hooks } from "./migrations/0008_hooks.ts"
import { ceremonies } from "./migrations/0009_ceremonies.ts"
import { traces } from "./migrations/0010_traces.ts"
import { chat } from "./migrations/0011_chat.ts"
import { identity } from "./migrations/0012_identity.ts"
import { search } from "./migrations/0013_search.ts"
import { worktrees } from "./migrations/0014_worktrees.ts"
import { health } from "./migrations/0015_health.ts"
import { analytics } from "./migrations/0016_analytics.ts"
import { trackers } from "./migrations/0017_trackers.ts"
import { hookQueue } from "./migrations/0018_hook_queue.ts"
import { communication } from "./migrations/0019_communication.ts"
import { teamchatTriggers } from "./migrations/0020_teamchat_triggers.ts"
import { definitions } from "./migrations/0021_definitions.ts"
import { searchBlocks } from "./migrations/0022_search_blocks.ts"
import { commentAuthors } from "./migrations/0023_comment_authors.ts"
import { revocations } from "./migrations/0024_revocations.ts"
import { log } from "./migrations/0025_log.ts"
import { leases } from "./migrations/0026_leases.ts"
import { blobs } from "./migrations/0027_blobs.ts"
import { attempts } from "./migrations/0028_attempts.ts"
import { processes } from "./migrations/0029_processes.ts"
import { runtimes } from "./migrations/0030_runtimes.ts"
import { approvals } from "./migrations/0031_approvals.ts"
import { admission } from "./migrations/0032_admission.ts"
import { runJournals } from "./migrations/0033_run_journals.ts"
import { recoveries } from "./migrations/0034_recoveries.ts"
import { watchdog } from "./migrations/0035_watchdog.ts"
import { claims } from "./migrations/0036_claims.ts"
import { layout } from "./migrations/0039_layout.ts"

/** Runs statements one after another: SQLite takes one at a time. */
const statements = (all: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(all, (statement) => sql.unsafe(statement), { discard: true })
  )

/** Every change of the schema, in order. A file never changes once it is released; a change is a new file. */
const migrations = {
  "0001_foundation": statements(foundation),
  "0002_tasks": statements(tasks),
  "0003_board": statements(board),
  "0004_squad_chat": statements(squadChat),
  "0005_telemetry": statements(telemetry),
  "0006_imports": statements(imports),
  "0007_projections": statements(projections),
  "0008_hooks": statements(hooks),
  "0009_ceremonies": statements(ceremonies),
  "0010_traces": statements(traces),
  "0011_chat": statements(chat),
  "0012_identity": statements(identity),
  "0013_search": statements(search),
  "0014_worktrees": statements(worktrees),
  "0015_health": statements(health),
  "0016_analytics": statements(analytics),
  "0017_trackers": statements(trackers),
  "0018_hook_queue": statements(hookQueue),
  "0019_communication": statements(communication),
  "0020_teamchat_triggers": statements(teamchatTriggers),
  "0021_definitions": statements(definitions),
  "0022_search_blocks": statements(searchBlocks),
  "0023_comment_authors": statements(commentAuthors),
  "0024_revocations": statements(revocations),
  "0025_log": statements(log),
  "0026_leases": statements(leases),
  "0027_blobs": statements(blobs),
  "0028_attempts": statements(attempts),
  "0029_processes": statements(processes),
  "0030_runtimes": statements(runtimes),
  "0031_approvals": statements(approvals),
  "0032_admission": statements(admission),
  "0033_run_journals": statements(runJournals),
  "0034_recoveries": statements(recoveries),
  "0035_watchdog": statements(watchdog),
  "0036_claims": statements(claims),
  "0039_layout": statements(layout)
}

/** The newest schema that this version knows. */
export const knownSchema = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

/** A newer version has worked on this database: this one would misread what it wrote. */
export class SchemaTooNew extends Data.TaggedError("SchemaTooNew")<{
  readonly found: number
  readonly known: number
}> {
  override get message() {
    return `The database has schema ${this.found}, this version knows schemas up to ${this.known}. Start the version that wrote it, or choose another directory with SERVICE_DATA_DIR.`
  }
}

const refuseNewer = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [newest] = yield* sql<{ id: number }>`SELECT MAX(migration_id) AS id FROM migrations`
  if (newest !== undefined && newest.id > knownSchema) {
    return yield* new SchemaTooNew({ found: newest.id, known: knownSchema })
  }
})

/** Brings a database to the newest schema. It resumes after a crash: all that is missing is one transaction. */
export const migrate = (client: SqliteClient.SqliteClient) =>
  Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "migrations" }).pipe(
    Effect.zipRight(refuseNewer),
    Effect.provideService(SqlClient.SqlClient, client)
  )
