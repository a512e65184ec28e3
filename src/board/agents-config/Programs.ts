import { basename, delimiter, isAbsolute, join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Cache, Config, Context, Data, Duration, Effect, Exit, Layer, Option } from "effect"
import { now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { AgentSupport } from "./AgentSupport.ts"
import { askVersion, type VersionAnswer } from "./AskVersion.ts"
import * as ProbeRepo from "./ProbeRepo.ts"

/** A variable of the server's environment. */
export const variable = (name: string): Effect.Effect<string | undefined> =>
  Config.string(name).pipe(
    Effect.map((value) => (value === "" ? undefined : value)),
    Effect.orElseSucceed(() => undefined)
  )

/** A program as it lies on this machine. */
interface Program {
  readonly posture: AgentSupport["executable"]["posture"]
  /** Where it lies, if it can be run. */
  readonly file?: string
  /** What changes when it is replaced, or found elsewhere. */
  readonly stamp: string
}

/** A program that is to be asked, as it lies there now. */
interface Asked {
  readonly command: string
  readonly file: string
  readonly stamp: string
}

/** Whose program it is, and what may be done to learn more about it. */
export interface ProgramQuestion {
  readonly command: string
  /** Whether it is a program that many people use; no other one is ever run. */
  readonly wellKnown: boolean
  /** Whether it may be asked now (ruling 108); otherwise what was found before is shown. */
  readonly mayAsk: boolean
}

/** What is known of a command: where its program is, of which a name alone is shown, and what a probe found. */
export interface ProgramFinding {
  readonly executable: AgentSupport["executable"]
  readonly probe: ProbeRepo.ProbeRow | undefined
}

/** The programs of agents, found as a start would find them, and probed for their version and build. */
export interface ProgramsService {
  readonly look: (question: ProgramQuestion) => Effect.Effect<ProgramFinding>
}

/** How long a program that said its version is not asked again, unless its file changes. */
const trust = Duration.minutes(10)

export class Programs extends Context.Tag("muster/Programs")<Programs, ProgramsService>() {
  /**
   * Nothing but well-known programs is ever run: one that nobody knows may do anything when it is called. A version is
   * believed for ten minutes, or until the file changes; a probe that failed, or that brought no version, is never
   * believed, so whoever asks next has the program asked again.
   */
  static readonly layer = Layer.effect(
    Programs,
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      const find = finder(yield* FileSystem.FileSystem)

      const asked = yield* Cache.makeWith({
        capacity: 64,
        timeToLive: (exit: Exit.Exit<ProbeRepo.ProbeRow>) =>
          Exit.isSuccess(exit) && exit.value.state === "passed" ? trust : Duration.zero,
        lookup: ({ command, file, stamp }: Asked) =>
          Effect.gen(function* () {
            const home = yield* variable("HOME")
            const answer = yield* askVersion(file, {
              PATH: (yield* variable("PATH")) ?? "",
              ...(home === undefined ? {} : { HOME: home })
            })
            return yield* write(keep(command, stamp, answer))
          })
      })

      return Programs.of({
        look: Effect.fn("Programs.look")(function* ({ command, mayAsk, wellKnown }) {
          const { file, posture, stamp } = yield* find(command)
          const executable = { posture, name: basename(command) }
          if (!wellKnown) return { executable, probe: undefined }
          if (mayAsk && file !== undefined) {
            return { executable, probe: yield* asked.get(Data.struct({ command, file, stamp })) }
          }
          const before = yield* read(ProbeRepo.find(command))
          if (file !== undefined) return { executable, probe: before?.stamp === stamp ? before : undefined }
          // What was found about a program that is gone proves nothing any more.
          if (mayAsk && before !== undefined && before.state !== "failed") {
            yield* write(keep(command, stamp, { state: "failed" }))
          }
          return { executable, probe: undefined }
        })
      })
    })
  )
}

/** Keeps what a program answered. Its revision rises when that is something else than before, over restarts too. */
const keep = (
  command: string,
  stamp: string,
  answer: VersionAnswer
): Effect.Effect<ProbeRepo.ProbeRow, never, Sql> =>
  Effect.gen(function* () {
    const found = findingOf(answer)
    const before = yield* ProbeRepo.find(command)
    const at = yield* now
    const isSame =
      before !== undefined &&
      before.state === found.state &&
      before.version === found.version &&
      before.build === found.build
    const row = {
      ...found,
      revision: isSame ? before.revision : (before?.revision ?? 0) + 1,
      stamp,
      probedAt: isSame ? before.probedAt : at,
      checkedAt: at
    }
    yield* ProbeRepo.put(command, row)
    if (before === undefined) yield* ProbeRepo.trim
    return row
  })

const findingOf = (answer: VersionAnswer): Pick<ProbeRepo.ProbeRow, "state" | "version" | "build"> => {
  if (answer.state === "failed") return { state: "failed", version: null, build: null }
  const { build, version } = answer
  return { state: version === null ? "unknown" : "passed", version, build }
}

const missing: Program = { posture: "missing", stamp: "" }

/** A command with a slash is a path, any other a name to be found on the PATH, as the system does it. */
const finder = (files: FileSystem.FileSystem) => {
  const look = (file: string): Effect.Effect<Program> =>
    files.stat(file).pipe(
      Effect.map(({ ino, mode, mtime, size, type }): Program => {
        if (type !== "File") return missing
        if ((mode & 0o111) === 0 && process.platform !== "win32")
          return { posture: "not-executable", stamp: "" }
        const changed = Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() })
        return {
          posture: "found",
          file,
          stamp: `${file} ${changed}-${size}-${Option.getOrElse(ino, () => 0)}`
        }
      }),
      Effect.orElseSucceed(() => missing)
    )
  return (command: string): Effect.Effect<Program> =>
    Effect.gen(function* () {
      if (command.includes("/") || isAbsolute(command)) return yield* look(command)
      const places = ((yield* variable("PATH")) ?? "").split(delimiter).filter(isAbsolute)
      let found = missing
      for (const place of places) {
        const program = yield* look(join(place, command))
        if (program.posture === "found") return program
        if (program.posture === "not-executable") found = program
      }
      return found
    })
}
