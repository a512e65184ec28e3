import { randomBytes } from "node:crypto"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Redacted } from "effect"

/** Where the first start puts the admin key that it makes. */
export const adminKeyFile = (directory: string): string => join(directory, "admin-key")

/**
 * Reads the admin key of a data directory, and makes one at the first start (spec README, ruling 2), so that a newcomer
 * never meets a 401 that does not say how to get past it. Only the owner of the file can read it.
 */
export const ensureAdminKey = (directory: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = adminKeyFile(directory)
    if (yield* files.exists(file)) {
      const stored = (yield* files.readFileString(file)).trim()
      if (stored.length > 0) return Redacted.make(stored)
    }
    const key = `muster_${randomBytes(24).toString("base64url")}`
    yield* files.writeFileString(file, `${key}\n`, { mode: 0o600 })
    return Redacted.make(key)
  })
