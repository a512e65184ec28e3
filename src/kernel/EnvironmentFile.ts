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

/** What stands in a `.env`, by the names of the variables. */
export type EnvironmentFile = ReadonlyMap<string, string>

/** No file, and a directory of this name: some keep the libraries of a program in it. */
const absent: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EISDIR"])

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "it is no text"

/** Reads the `.env` of a directory; without one, nothing stands in it. */
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

/** The names of the variables that are set, here or in the file: an empty variable of the environment is none, in both. */
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
 * Variables of this process, and those of a `.env` that it does not have. They are read where they are asked for and
 * set nowhere: no program that is started gets them, and a file of a repository can't change how Node itself works.
 */
export const environmentWith = (file: EnvironmentFile): ConfigProvider.ConfigProvider =>
  ConfigProvider.fromEnv().pipe(ConfigProvider.orElse(() => ConfigProvider.fromMap(new Map(file))))
