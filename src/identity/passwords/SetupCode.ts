import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Context, Effect, Layer, Ref } from "effect"
import { hashOfToken, isTokenBehind, newToken } from "../../kernel/Token.ts"
import { Storage } from "../../storage/Storage.ts"
import * as OwnerRepo from "./OwnerRepo.ts"

/** Where a start puts the code while the owner has no password. */
export const setupCodeFile = (directory: string): string => join(directory, "setup-code")

/**
 * The code that proves to the setup that its sender is the operator of this machine, and not only a process on it
 * (ruling 107). It lies in a file that only the owner of the data directory can read. Each start makes a new one while
 * there is no password, whatever lies in its place; the setup uses it up.
 */
export interface SetupCodeService {
  /** Where the code lies; undefined when there is none, because the owner has a password. */
  readonly file: Effect.Effect<string | undefined>
  /** Whether this is the code. It takes the same time for every text that is not. */
  readonly fits: (claimed: string) => Effect.Effect<boolean>
  /** Ends the code, here and on the disk. */
  readonly useUp: Effect.Effect<void>
}

export class SetupCode extends Context.Tag("muster/SetupCode")<SetupCode, SetupCodeService>() {
  static readonly layer = Layer.effect(
    SetupCode,
    Effect.gen(function* () {
      const storage = yield* Storage
      const files = yield* FileSystem.FileSystem
      const file = setupCodeFile(storage.directory)
      const done = (yield* storage.read(OwnerRepo.find)) !== undefined
      // Also a code that was used: the server may have ended before it was removed.
      yield* files.remove(file, { force: true })
      const expected = yield* Ref.make(done ? undefined : hashOfToken(yield* write(file)))
      return SetupCode.of({
        file: Effect.map(Ref.get(expected), (hash) => (hash === undefined ? undefined : file)),
        fits: (claimed) =>
          Effect.map(Ref.get(expected), (hash) => hash !== undefined && isTokenBehind(hash, claimed.trim())),
        useUp: Effect.zipRight(
          Ref.set(expected, undefined),
          Effect.catchAll(files.remove(file, { force: true }), () =>
            Effect.logWarning(`The setup code in ${file} is used up; the file can't be removed`)
          )
        )
      })
    })
  )
}

/** Writes a new code into a new file: `wx` follows no link and takes no file that is there. */
const write = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const code = yield* newToken("setup")
    yield* files.writeFileString(file, `${code}\n`, { flag: "wx", mode: 0o600 })
    return code
  })
