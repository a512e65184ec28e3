import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { ImportsApi } from "../../../board/imports/Api.ts"
import type { ImportResult } from "../../../board/imports/ImportResult.ts"
import { Client } from "../../../client/Client.ts"
import { ExitCode, Misused } from "../../../client/Failure.ts"
import { ask } from "../../Answer.ts"
import { type Batch, batchesOf } from "../../imports/Batches.ts"
import { importText } from "../../imports/ImportText.ts"
import * as Total from "../../imports/Total.ts"
import { Output } from "../../Output.ts"
import { json } from "../../Parts.ts"
import { readStdin } from "../../Stdin.ts"

/** The name that stands for standard input, as it does elsewhere. */
const standardInput = "-"

const unreadable = (file: string) => (error: PlatformError) =>
  new Misused({
    reason: `Can't read ${file}: ${error._tag === "SystemError" ? (reasons[error.reason] ?? error.reason) : "it is not a file"}`,
    remedy: "Name a file in JSON Lines, a task as a JSON object on each line, or - for standard input"
  })

/** The bytes of a file, or of standard input. */
const readFile = (file: string) =>
  Effect.gen(function* () {
    if (file === standardInput) return yield* readStdin
    const files = yield* FileSystem.FileSystem
    return yield* Effect.mapError(files.readFile(file), unreadable(file))
  })

const reasons: Readonly<Record<string, string>> = {
  NotFound: "there is no such file",
  PermissionDenied: "the system does not permit it",
  BadResource: "it is a directory"
}

const send = (batch: Batch) =>
  Effect.flatMap(Client, ({ call }) =>
    call(ImportsApi, ({ imports }) => imports.importTasks({ payload: batch.body }))
  )

const barWidth = 24

/** The progress of an import. */
export const bar = (done: number, of: number): string => {
  const filled = of === 0 ? barWidth : Math.round((barWidth * done) / of)
  return `[${"#".repeat(filled)}${"-".repeat(barWidth - filled)}] ${done} of ${of} lines`
}

/**
 * Sends a file in requests, one after another. A dependency that an early request could not resolve may come in a later
 * one, so the requests that missed some are sent again at the end: tasks that are already on the board stay as they
 * are.
 */
const importFile = (file: string) =>
  Effect.gen(function* () {
    const { progress, warn } = yield* Output
    const { batches, failed, lineCount } = batchesOf(yield* readFile(file))
    let total = Total.nothing(failed)
    let sent = failed.length
    const missing: Array<Batch> = []
    const stopped = Effect.suspend(() =>
      sent === 0
        ? Effect.void
        : warn(
            `muster: ${sent} of ${lineCount} lines were sent before this. Run the command again to go on: what is there already stays as it is.`
          )
    )
    const all = Effect.gen(function* () {
      for (const batch of batches) {
        yield* progress(bar(sent, lineCount))
        const part = yield* send(batch)
        if (part.counts.unresolved > 0) missing.push(batch)
        total = Total.plus(total, batch, part)
        sent += batch.lines.length
      }
      const again: ReadonlyArray<ImportResult> =
        batches.length > 1 ? yield* Effect.forEach(missing, send) : []
      return again.length === 0 ? total : Total.withUnresolved(total, again)
    })
    return yield* all.pipe(
      Effect.ensuring(progress("")),
      Effect.tapError(() => stopped)
    )
  })

const file = Args.text({ name: "FILE" }).pipe(
  Args.withDescription("A file in JSON Lines, a task as a JSON object on each line; - reads standard input")
)

export const importCommand = Command.make("import", { file, json }, (given) =>
  ask(
    given.json,
    Effect.map(importFile(given.file), (result) => ({
      json: result,
      text: (paint) => importText(result, paint),
      exitCode: result.counts.failed === 0 ? ExitCode.ok : ExitCode.unexpected
    }))
  )
)
