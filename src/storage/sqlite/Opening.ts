import { Data, Effect } from "effect"
import { system } from "../../kernel/Actor.ts"
import { digest } from "../../kernel/Digest.ts"
import { now } from "../../kernel/Time.ts"
import type { Connection } from "../Connection.ts"
import * as Journal from "../events/Journal.ts"
import { runOn, Sql, scopeOf, sql } from "../Sql.ts"
import type { Detected } from "./Detection.ts"
import {
  JournalChangeApplied,
  JournalChangeExpired,
  JournalChangeFailed,
  JournalChangeRefused
} from "./Events.ts"
import { type Decision, decide, type JournalMode, type SqliteEnvironment, settled } from "./JournalMode.ts"
import * as JournalOperations from "./JournalOperations.ts"

/** SQLite would lose data there, and nothing can talk the server into it. */
export class UnsafeFileSystem extends Data.TaggedError("UnsafeFileSystem")<{
  readonly filesystemType: string
}> {
  override get message() {
    return `The database lies on ${this.filesystemType}, which other machines can reach and whose locks SQLite can't trust: it would lose data there. Put it on a disk of this machine with SERVICE_DATA_DIR or SERVICE_SQLITE_PATH.`
  }
}

/** How the database was opened. */
export interface Opened {
  /** What SQLite says that its journal mode is. */
  readonly journalMode: string
  readonly decision: Decision
}

/** The digest that an override keeps of a host's id. */
export const hostDigestOf = ({ hostId }: SqliteEnvironment): string | undefined =>
  hostId === undefined ? undefined : digest(hostId)

const pragmas = { wal: sql`PRAGMA journal_mode = WAL`, delete: sql`PRAGMA journal_mode = DELETE` } as const

/**
 * Asks SQLite for a journal mode, and gives the one that it has then. A change that is cut short by a crash is either
 * done or not: SQLite writes the mode into the first page of the file, under its own journal.
 */
const askFor = (connection: Connection, mode: JournalMode): Effect.Effect<string> =>
  runOn<{ journal_mode: string }>(connection, pragmas[mode]).pipe(
    // Somebody else reads the file at this moment: it stays as it is.
    Effect.catchAllDefect(() => runOn<{ journal_mode: string }>(connection, sql`PRAGMA journal_mode`)),
    Effect.map(([row]) => row?.journal_mode ?? "unknown")
  )

/** Puts a database into its journal mode, before anything works on it. What is scheduled in it is done now. */
export const settleMode = (
  connection: Connection,
  detected: Detected,
  environment: SqliteEnvironment
): Effect.Effect<Opened> =>
  Effect.gen(function* () {
    const known = yield* JournalOperations.isKnown
    const decision = decide({
      posture: detected.filesystemPosture,
      environment,
      hostDigest: hostDigestOf(environment),
      operation: known ? yield* JournalOperations.scheduled : undefined,
      override: known ? yield* JournalOperations.override : undefined,
      at: yield* now
    })
    return { decision, journalMode: yield* askFor(connection, decision.mode) }
  }).pipe(Effect.provideService(Sql, scopeOf(connection)))

/** Notes what became of the operation that was scheduled, once the database takes writes. */
export const recordOutcome = ({ decision, journalMode }: Opened): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    if (decision.operation === undefined) return
    const operation = settled(decision.operation, journalMode)
    yield* JournalOperations.update(operation)
    if (operation.state === "applied") yield* JournalOperations.writeOverride(decision.override)
    const { id: resourceId, reasonCodes, state, targetMode } = operation
    if (state === "scheduled") return
    const Settled = outcomes[state]
    yield* Journal.record(new Settled({ resourceId, targetMode, journalMode, reasonCodes }), system)
  })

const outcomes = {
  applied: JournalChangeApplied,
  refused: JournalChangeRefused,
  failed: JournalChangeFailed,
  expired: JournalChangeExpired
} as const
