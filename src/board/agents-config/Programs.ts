import { execFile } from "node:child_process"
import { tmpdir } from "node:os"
import { basename, delimiter, isAbsolute, join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Cache, Config, Duration, Effect, Option } from "effect"
import { nowIso } from "../../kernel/Time.ts"
import type { AgentSupport, VersionEvidence } from "./AgentSupport.ts"

/** How long a program may take to say its version, and how much of what it says is read. */
const patienceMs = 5_000
const outputLimit = 65_536

const unsaid: VersionEvidence = { value: null, source: "none", checkedAt: null }

/** The first thing in a text that looks like a version. Nothing else of what a program says is kept. */
export const versionIn = (text: string): string | undefined =>
  /(?<![\d.])\d{1,6}\.\d{1,6}(?:\.\d{1,6})?(?:[-+][0-9A-Za-z.]{1,40})?/.exec(text)?.[0]

/** A variable of the server's environment. */
export const variable = (name: string): Effect.Effect<string | undefined> =>
  Config.string(name).pipe(
    Effect.map((value) => (value === "" ? undefined : value)),
    Effect.orElseSucceed(() => undefined)
  )

/** Asks a program for its version: with nothing of the environment but where programs and its own settings are. */
const askVersion = (program: string, environment: Readonly<Record<string, string>>) =>
  Effect.async<string | undefined>((resume) => {
    const child = execFile(
      program,
      ["--version"],
      {
        cwd: tmpdir(),
        env: environment,
        timeout: patienceMs,
        killSignal: "SIGKILL",
        maxBuffer: outputLimit,
        windowsHide: true
      },
      (error, stdout) => resume(Effect.succeed(error === null ? versionIn(stdout) : undefined))
    )
    child.stdin?.end()
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** A program as it lies on this machine. */
interface Program {
  readonly posture: AgentSupport["executable"]["posture"]
  /** Where it lies, and what changes when it is replaced. */
  readonly file?: string
  readonly stamp?: string
}

/**
 * Finds programs as a start would, and asks those that are well known for their version when it is told to. Nothing else
 * is ever run: a program that nobody knows may do anything when it is called. What a program says is believed for ten
 * minutes, or until its file changes; to those for whom nothing is run, what was found is shown for as long.
 */
export const makePrograms = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem

  const look = (file: string): Effect.Effect<Program> =>
    files.stat(file).pipe(
      Effect.map(({ mode, mtime, size, type }): Program => {
        if (type !== "File") return { posture: "missing" }
        if ((mode & 0o111) === 0 && process.platform !== "win32") return { posture: "not-executable" }
        const changed = Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() })
        return { posture: "found", file, stamp: `${changed}-${size}` }
      }),
      Effect.orElseSucceed((): Program => ({ posture: "missing" }))
    )

  /** A command with a slash is a path, any other a name to be found on the PATH, as the system does it. */
  const find = (command: string): Effect.Effect<Program> =>
    Effect.gen(function* () {
      if (command.includes("/") || isAbsolute(command)) return yield* look(command)
      const places = ((yield* variable("PATH")) ?? "").split(delimiter).filter(isAbsolute)
      let found: Program = { posture: "missing" }
      for (const place of places) {
        const program = yield* look(join(place, command))
        if (program.posture === "found") return program
        if (program.posture === "not-executable") found = program
      }
      return found
    })

  const versions = yield* Cache.make({
    capacity: 64,
    timeToLive: Duration.minutes(10),
    lookup: (key: string): Effect.Effect<VersionEvidence> =>
      Effect.gen(function* () {
        const home = yield* variable("HOME")
        const value = yield* askVersion(key.slice(key.indexOf(":") + 1), {
          PATH: (yield* variable("PATH")) ?? "",
          ...(home === undefined ? {} : { HOME: home })
        })
        return { value: value ?? null, source: "version-flag" as const, checkedAt: yield* nowIso }
      })
  })

  /** What a program says, or has said when nobody may ask it now. */
  const versionOf = (key: string, mayAsk: boolean) =>
    mayAsk
      ? versions.get(key)
      : Effect.map(
          versions.getOptionComplete(key),
          Option.getOrElse(() => unsaid)
        )

  /** What is known of a command. Only a name is shown of it. */
  return (command: string, wellKnown: boolean, mayAsk: boolean) =>
    Effect.gen(function* () {
      const { file, posture, stamp } = yield* find(command)
      const version = wellKnown && file !== undefined ? yield* versionOf(`${stamp}:${file}`, mayAsk) : unsaid
      return { executable: { posture, name: basename(command) }, version }
    })
})

export { unsaid as noVersion }
