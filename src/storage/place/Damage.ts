import { Cause, Data, Effect, Option } from "effect"
import { codeOf } from "../../kernel/FileTrouble.ts"
import { SqlDefect } from "../Sql.ts"

/**
 * What is wrong with the file of a database: SQLite finds pages that contradict one another, or no database at all; or
 * the file is gone, shorter than it was, or another one than was opened.
 */
export type Finding = "corrupt" | "not-a-database" | "gone" | "cut-off" | "replaced"

const findings: Record<Finding, string> = {
  corrupt: "its pages contradict one another",
  "not-a-database": "it is no SQLite database",
  gone: "the file is gone",
  "cut-off": "the file is shorter than it was",
  replaced: "another file lies in its place"
}

/**
 * The database is not what it was. Where it is met while a server runs it is a defect, which the door turns into a 503;
 * at a start it ends that.
 */
export class DatabaseDamaged extends Data.TaggedError("DatabaseDamaged")<{
  readonly file: string
  readonly finding: Finding
}> {
  override get message() {
    return `The database ${this.file} is damaged: ${findings[this.finding]}. Nothing is written into it any more. Stop the server and bring a backup back with muster restore FILE; the damaged file is kept beside it.`
  }
}

/** The database can't be opened, for a reason that lies around it. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly file: string
  readonly reason: string
}> {
  override get message() {
    return `The database ${this.file} can't be opened: ${this.reason}. It lies where SERVICE_SQLITE_PATH says, or in SERVICE_DATA_DIR.`
  }
}

/** Why a database is not opened. */
export type Refusal = DatabaseDamaged | DatabaseUnusable

const reasons: ReadonlyArray<readonly [RegExp, string]> = [
  [/^SQLITE_FULL/, "the disk is full; make room on it"],
  [/^SQLITE_(BUSY|LOCKED)/, "another program holds it; stop that first"],
  [/^SQLITE_READONLY/, "this user can't write it, or its disk is mounted read-only"],
  [/^SQLITE_(CANTOPEN|PERM|AUTH)/, "this user can't open it, or a directory lies where a file of it belongs"],
  [/^SQLITE_IOERR/, "the disk does not answer as it should; look at the log of the system"]
]

const findingOf = (code: string): Finding | undefined =>
  code.startsWith("SQLITE_CORRUPT")
    ? "corrupt"
    : code.startsWith("SQLITE_NOTADB")
      ? "not-a-database"
      : undefined

/** What a start that met this error of SQLite is told; undefined when it is none. */
export const refusalOf = (file: string, error: unknown): Refusal | undefined => {
  const code = codeOf(error) ?? ""
  const finding = findingOf(code)
  if (finding !== undefined) return new DatabaseDamaged({ file, finding })
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1]
  return reason === undefined ? undefined : new DatabaseUnusable({ file, reason })
}

/** What is known of the damage of a database. Once it is known, it stays: only another file mends it. */
export interface DamageWatch {
  readonly known: () => DatabaseDamaged | undefined
  /** Takes note of damage; gives what was found first. */
  readonly note: (finding: Finding) => Effect.Effect<DatabaseDamaged>
  /** Takes note of the damage that a cause tells of, and tells it by its name. */
  readonly told: <E>(cause: Cause.Cause<E>) => Cause.Cause<E>
}

/** Watches over the database in a file. */
export const watch = (file: string): DamageWatch => {
  let found: DatabaseDamaged | undefined
  const note = (finding: Finding): DatabaseDamaged => {
    found ??= new DatabaseDamaged({ file, finding })
    return found
  }
  return {
    known: () => found,
    note: (finding) =>
      Effect.suspend(() =>
        found === undefined
          ? Effect.tap(Effect.succeed(note(finding)), ({ message }) => Effect.logError(message))
          : Effect.succeed(found)
      ),
    told: (cause) => {
      const defect = Option.getOrUndefined(Cause.dieOption(cause))
      const finding = defect instanceof SqlDefect ? findingOf(defect.code) : undefined
      return finding === undefined ? cause : Cause.die(note(finding))
    }
  }
}
