import { randomBytes } from "node:crypto"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Data, Effect, Redacted } from "effect"
import { replaceFile } from "../../kernel/DurableFile.ts"

/** Where the first start puts the admin key that it makes. */
export const adminKeyFile = (directory: string): string => join(directory, "admin-key")

/** Others than the owner of a file may read or write it. */
const forOthers = 0o077

/** The file holds bytes that no header can carry, so nobody could come in with it. They are not shown. */
export class AdminKeyUnreadable extends Data.TaggedError("AdminKeyUnreadable")<{ readonly file: string }> {
  override get message() {
    return `The admin key in ${this.file} is damaged. Put the file back from a copy of the data directory, or delete it: the next start makes a new key.`
  }
}

/**
 * Reads the admin key of a data directory, and makes one at the first start (spec README, ruling 2), so that a newcomer
 * never meets a 401 that does not say how to get past it. Only the owner of the file can read it. One that others could
 * read is closed to them, and the operator is warned that somebody may have read it.
 */
export const ensureAdminKey = (directory: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = adminKeyFile(directory)
    if (yield* files.exists(file)) {
      const stored = (yield* files.readFileString(file)).trim()
      if (!/^[\x20-\x7e]*$/.test(stored)) return yield* new AdminKeyUnreadable({ file })
      if (stored.length > 0) {
        yield* close(file)
        return Redacted.make(stored)
      }
    }
    const key = `muster_${randomBytes(24).toString("base64url")}`
    yield* replaceFile(file, `${key}\n`)
    return Redacted.make(key)
  })

/** On a system without modes there is nothing to close; what can't be closed is not a reason not to start. */
const close = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { mode } = yield* files.stat(file)
    if (process.platform === "win32" || (mode & forOthers) === 0) return
    yield* Effect.ignore(files.chmod(file, 0o600))
    yield* Effect.logWarning(
      `The admin key in ${file} could be read by other users of this machine: delete the file and restart if one of them may have it`
    )
  })
