import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { ConfigProvider, Data, Effect } from "effect"

/** The file `.env` is there and can't be read. */
export class EnvironmentFileUnreadable extends Data.TaggedError("EnvironmentFileUnreadable")<{
  readonly file: string
  readonly reason: string
}> {
  override get message() {
    return `${this.file} can't be read (${this.reason}): let its reader be who starts this, or take it away`
  }
}

/** The values of a `.env`, by variable name. */
export type EnvironmentFile = ReadonlyMap<string, string>

/** Whether `.env` is a directory: some keep the libraries of a program in one. */
const absent: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EISDIR"])

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "it is no text"

/** Reads the `.env` of a directory; a missing one counts as empty. */
export const readEnvironmentFile = (
  directory: string
): Effect.Effect<EnvironmentFile, EnvironmentFileUnreadable> => {
  const file = join(directory, ".env")
  return Effect.try({
    try: () =>
      new Map(
        Object.entries(parseEnv(readFileSync(file, "utf8"))).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as const]
        )
      ),
    catch: (error) => new EnvironmentFileUnreadable({ file, reason: codeOf(error) })
  }).pipe(
    Effect.catchIf(
      ({ reason }) => absent.has(reason),
      () => Effect.succeed(new Map<string, string>())
    )
  )
}

/**
 * The names of the variables that are set, in the environment or in the file. An empty variable of the environment
 * counts as unset, and hides the one of the file.
 */
export const namesSet = (
  environment: Readonly<Record<string, string | undefined>>,
  file: EnvironmentFile
): ReadonlySet<string> =>
  new Set(
    Object.entries({ ...Object.fromEntries(file), ...environment }).flatMap(([name, value]) =>
      value === undefined || value.trim() === "" ? [] : [name]
    )
  )

/**
 * Reads variables from the environment, and from a `.env` those that the environment lacks. Nothing is set: no program
 * that is started inherits them, and a file in a repository can't change how Node itself works.
 */
export const environmentWith = (file: EnvironmentFile): ConfigProvider.ConfigProvider =>
  ConfigProvider.fromEnv().pipe(ConfigProvider.orElse(() => ConfigProvider.fromMap(new Map(file))))
