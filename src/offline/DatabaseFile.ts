import { Data, Effect } from "effect"
import * as Parcel from "../storage/blobs/Parcel.ts"
import { type Connection, openPlain } from "../storage/Connection.ts"
import { knownSchema, SchemaTooNew } from "../storage/Migrations.ts"
import { runOn, sql } from "../storage/Sql.ts"

/** The file is no board that can be worked with. */
export class NotABoard extends Data.TaggedError("NotABoard")<{
  readonly file: string
  readonly reason: "not-a-database" | "not-a-board" | "damaged"
}> {
  override get message() {
    return `${this.file} ${reasons[this.reason]}`
  }
}

const reasons: Record<NotABoard["reason"], string> = {
  "not-a-database": "is no SQLite database",
  "not-a-board": "is a SQLite database, but no board of Muster",
  damaged: "is damaged: SQLite found pages that contradict one another"
}

export type { LostBlob } from "../storage/blobs/Parcel.ts"

/** What is known of a board in a file. */
export interface BoardFile {
  readonly schema: number
  /** The blobs whose bytes it has not, as they were not whole any more when it was made. */
  readonly lostBlobs: ReadonlyArray<Parcel.LostBlob>
}

/** Runs statements on a file of which it is not known what it is: what they die of is a fault of the file. */
const attempt = <A, E>(file: string, reason: NotABoard["reason"], statements: Effect.Effect<A, E>) =>
  Effect.catchAllDefect(statements, () => Effect.fail(new NotABoard({ file, reason })))

/** Reads a number out of the one row of an answer. */
const numberIn = (connection: Connection, query: ReturnType<typeof sql>) =>
  Effect.map(runOn<{ n: number | null }>(connection, query), ([row]) => row?.n ?? 0)

/**
 * Makes sure that a file, which nobody else works on, is a whole board that this version can read: SQLite, the tables
 * of a board, no schema of a later version, no damage, and the bytes of its blobs as they were. It becomes one file, without a journal beside it. `shown` is
 * how messages call it.
 */
export const verify = (
  file: string,
  shown: string
): Effect.Effect<BoardFile, NotABoard | Parcel.ParcelDamaged | SchemaTooNew> =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* openPlain(file)
      yield* attempt(shown, "not-a-database", runOn(connection, sql`PRAGMA journal_mode = DELETE`))
      const schema = yield* attempt(
        shown,
        "not-a-board",
        numberIn(connection, sql`SELECT MAX(migration_id) AS n FROM migrations`)
      )
      if (schema === 0) return yield* new NotABoard({ file: shown, reason: "not-a-board" })
      if (schema > knownSchema) return yield* new SchemaTooNew({ found: schema, known: knownSchema })
      const [check] = yield* attempt(
        shown,
        "damaged",
        runOn<{ integrity_check: string }>(connection, sql`PRAGMA integrity_check(1)`)
      )
      if (check?.integrity_check !== "ok") return yield* new NotABoard({ file: shown, reason: "damaged" })
      const lostBlobs = yield* attempt(shown, "damaged", Parcel.verify(connection, shown))
      return { schema, lostBlobs }
    })
  )
