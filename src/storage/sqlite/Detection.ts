import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import {
  type Judgement,
  judge,
  mountOf,
  parseMountCommand,
  parseMountinfo,
  typeOfMagic
} from "./FileSystemKind.ts"

/** How the file system was found out. */
export type DetectionSource = "proc-mountinfo" | "statfs" | "mount-command" | "unc-path" | "none"

/** The file system of a database. */
export interface Detected extends Judgement {
  readonly platform: NodeJS.Platform
  readonly filesystemType: string
  readonly detectionSource: DetectionSource
}

const found = (filesystemType: string, detectionSource: DetectionSource): Detected => ({
  platform: process.platform,
  filesystemType,
  detectionSource,
  ...judge(filesystemType)
})

const notDetected: Detected = {
  platform: process.platform,
  filesystemType: "unknown",
  detectionSource: "none",
  filesystemPosture: "unknown",
  reasonCode: "not-detected"
}

/** A database without a file system. */
export const inMemory: Detected = {
  platform: process.platform,
  filesystemType: "memory",
  detectionSource: "none",
  filesystemPosture: "not-applicable",
  reasonCode: "in-memory-database"
}

/**
 * Finds out what kind of file system a database lies on. Linux tells in `/proc/self/mountinfo` and by the numbers of
 * `statfs`, macOS in the answer of `mount`, Windows by the form of the path alone. No answer is an answer too.
 */
export const detect = (
  filename: string
): Effect.Effect<Detected, never, FileSystem.FileSystem | CommandExecutor.CommandExecutor> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const directory = yield* files.realPath(dirname(filename))
    if (process.platform === "win32") {
      return directory.startsWith("\\\\") ? found("smb", "unc-path") : notDetected
    }
    if (process.platform !== "linux") {
      const mounts = yield* Effect.timeout(Command.string(Command.make("/sbin/mount")), "2 seconds").pipe(
        Effect.map(parseMountCommand)
      )
      const mount = mountOf(mounts, directory)
      return mount === undefined ? notDetected : found(mount.type, "mount-command")
    }
    const mount = yield* files.readFileString("/proc/self/mountinfo").pipe(
      Effect.map((text) => mountOf(parseMountinfo(text), directory)),
      Effect.orElseSucceed(() => undefined)
    )
    if (mount !== undefined) return found(mount.type, "proc-mountinfo")
    const { type } = yield* Effect.tryPromise(() => statfs(directory))
    const name = typeOfMagic(type)
    return name === undefined ? { ...notDetected, detectionSource: "statfs" as const } : found(name, "statfs")
  }).pipe(Effect.orElseSucceed(() => notDetected))
