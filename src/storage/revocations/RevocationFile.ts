import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Data, Effect, Schema } from "effect"
import { replaceFile, syncDirectoryOf } from "../../kernel/DurableFile.ts"
import { Revocation } from "./Revocation.ts"

/** The file of a data directory that keeps what was revoked: one JSON object a line, oldest first. */
export const fileOf = (directory: string): string => join(directory, "revocations.jsonl")

/** A line of the file is no revocation. Some stand beside hashes of passwords, so the message shows none. */
export class RevocationsUnreadable extends Data.TaggedError("RevocationsUnreadable")<{
  readonly file: string
  readonly line: number
}> {
  override get message() {
    return `The revocations in ${this.file} can't be read: line ${this.line} is damaged. Put the file back from a copy of the data directory, or take that line out; what it revoked comes back when a backup from before it is restored.`
  }
}

const Line = Schema.parseJson(Revocation)
const encode = Schema.encodeSync(Line)

const textOf = (revocations: ReadonlyArray<Revocation>): string =>
  revocations
    .map(({ at, id, kind, subject, value }) => `${encode({ id, kind, subject, at, value })}\n`)
    .join("")

/** What a file keeps. */
export interface Kept {
  readonly revocations: ReadonlyArray<Revocation>
  /** Whether the file ends where a line does. */
  readonly isWhole: boolean
}

/** Reads all revocations of a file. A line without an end was cut short by a crash; the database has what it said. */
export const read = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (!(yield* files.exists(file))) return { revocations: [], isWhole: true } satisfies Kept
    const lines = (yield* files.readFileString(file)).split("\n")
    const revocations = yield* Effect.forEach(lines.slice(0, -1), (line, index) =>
      Effect.mapError(Schema.decode(Line)(line), () => new RevocationsUnreadable({ file, line: index + 1 }))
    )
    return { revocations, isWhole: lines.at(-1) === "" } satisfies Kept
  })

/** Adds revocations to a file. They are on the disk when this is done; when it fails, the file is as it was. */
export const append = (file: string, revocations: ReadonlyArray<Revocation>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const isNew = !(yield* files.exists(file))
      const opened = yield* files.open(file, { flag: "a", mode: 0o600 })
      const { size } = yield* opened.stat
      yield* Effect.zipRight(
        opened.writeAll(new TextEncoder().encode(textOf(revocations))),
        opened.sync
      ).pipe(Effect.tapError(() => Effect.ignore(opened.truncate(size))))
      if (isNew) yield* syncDirectoryOf(file)
    })
  )

/** Adds revocations to what a file keeps. Half a line at its end would spoil the next one: then it is written anew. */
export const add = (file: string, kept: Kept, revocations: ReadonlyArray<Revocation>) =>
  kept.isWhole ? append(file, revocations) : replaceFile(file, textOf([...kept.revocations, ...revocations]))
