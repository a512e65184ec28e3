import { resolve } from "node:path"
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { type Connection, connection, isLoopback } from "../../../client/Connection.ts"
import { ExitCode, Misused, type Unreachable } from "../../../client/Failure.ts"
import type { LostBlob } from "../../../offline/DatabaseFile.ts"
import { answer } from "../../Answer.ts"
import { downloadBackup } from "../../Download.ts"
import { unwritable } from "../../LocalFile.ts"
import { lostText } from "../../LostBlobs.ts"
import { offline, placeOf, troubled } from "../../Offline.ts"
import { json } from "../../Parts.ts"
import type { Paint } from "../../text/Paint.ts"

/** Copies the board while no server runs on this machine. */
const copyStopped = (settings: Connection, file: string, unreachable: Unreachable) =>
  Effect.gen(function* () {
    if (!isLoopback(settings.url)) return yield* unreachable
    const { copyStopped } = yield* offline
    const from = yield* placeOf(settings)
    const copied = yield* Effect.mapError(copyStopped(from, file), troubled(file))
    return copied ? ("stopped" as const) : yield* unreachable
  })

/** What a backup is. */
interface Saved {
  readonly file: string
  readonly sizeBytes: number
  readonly schema: number
  readonly server: "running" | "stopped"
  /** The blobs that were damaged already, whose bytes it has not; absent when it has all. */
  readonly lostBlobs?: ReadonlyArray<LostBlob>
}

/** Saves a copy of the board under a temporary name, checks it, and then gives it its name. */
const backUp = (file: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const settings = yield* connection
      if (yield* Effect.mapError(files.exists(file), (error) => unwritable(file, error))) {
        return yield* new Misused({
          reason: `${file} already exists`,
          remedy: "Name a file that does not exist yet"
        })
      }
      const partial = `${file}.partial`
      yield* Effect.addFinalizer(() => Effect.ignore(files.remove(partial, { force: true })))
      yield* Effect.mapError(files.writeFileString(partial, "", { mode: 0o600 }), (error) =>
        unwritable(file, error)
      )
      const server = yield* downloadBackup(settings, partial).pipe(
        Effect.as("running" as const),
        Effect.catchTag("Unreachable", (unreachable) => copyStopped(settings, partial, unreachable))
      )
      const { publish, verify } = yield* offline
      const { lostBlobs, schema } = yield* Effect.mapError(verify(partial, file), troubled(file))
      yield* Effect.mapError(publish(partial, file), (error) => unwritable(file, error))
      const { size } = yield* Effect.mapError(files.stat(file), (error) => unwritable(file, error))
      const saved: Saved = {
        file,
        sizeBytes: Number(size),
        schema,
        server,
        ...(lostBlobs.length === 0 ? {} : { lostBlobs })
      }
      return saved
    })
  )

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

const file = Args.text({ name: "FILE" }).pipe(Args.withDescription("The file to write; it must not exist"))

const savedText = (name: string, { lostBlobs = [], sizeBytes }: Saved, paint: Paint): string =>
  [
    `${paint.green("Backed up")} to ${name} (${megabytes(sizeBytes)}), and checked it`,
    ...lostText(
      "The board had lost the bytes of some blobs before, so the backup is not complete:",
      lostBlobs,
      paint
    )
  ].join("\n")

export const backup = Command.make("backup", { file, json }, (given) =>
  answer(
    given.json,
    Effect.map(backUp(resolve(given.file)), (saved) => ({
      json: saved,
      text: (paint) => savedText(given.file, saved, paint),
      // Whoever backs up every night must hear of it.
      exitCode: saved.lostBlobs === undefined ? ExitCode.ok : ExitCode.unexpected
    }))
  )
)
