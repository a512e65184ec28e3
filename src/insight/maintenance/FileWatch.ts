import { open, stat } from "node:fs/promises"
import { Duration, Effect, Layer } from "effect"
import * as Worker from "../../kernel/Worker.ts"
import type { Finding } from "../../storage/place/Damage.ts"
import { Storage } from "../../storage/Storage.ts"

/** How often the file is looked at. */
const nap = Duration.seconds(3)

/** What every SQLite database begins with. */
const signature = "SQLite format 3\0"

/** A database file as it lies there. */
export interface Seen {
  readonly device: number
  readonly inode: number
  readonly bytes: number
  readonly beginning: string
}

/**
 * What speaks against a file that was seen before. A server keeps the file open that it began with, so it would go on to
 * acknowledge writes that nobody finds again. The file never becomes shorter while a server works on it.
 */
export const judge = (before: Seen, now: Seen | undefined): Finding | undefined => {
  if (now === undefined) return "gone"
  if (now.device !== before.device || now.inode !== before.inode) return "replaced"
  if (now.bytes < before.bytes) return "cut-off"
  return now.beginning === signature ? undefined : "not-a-database"
}

const look = async (file: string): Promise<Seen> => {
  const { dev, ino, size } = await stat(file)
  const opened = await open(file, "r")
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(signature.length), 0, signature.length, 0)
    return { device: dev, inode: ino, bytes: size, beginning: buffer.toString("latin1", 0, bytesRead) }
  } finally {
    await opened.close()
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT"

/** The file as it lies there; undefined when there is none. */
const seen = (file: string) =>
  Effect.tryPromise({
    try: () => look(file),
    catch: (error) => ({ isMissing: isMissing(error), error })
  }).pipe(
    Effect.catchIf(
      ({ isMissing }) => isMissing,
      () => Effect.succeed(undefined)
    )
  )

/** Looks every few seconds whether the database is still the file that was opened, from its start to its end. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { damage, posture } = yield* Storage
    const { filename } = posture
    if (filename === undefined) return
    let before = yield* Effect.orDie(seen(filename))
    const round = Effect.gen(function* () {
      yield* Effect.sleep(nap)
      if (before === undefined || damage.known() !== undefined) return
      const now = yield* seen(filename)
      const finding = judge(before, now)
      if (finding === undefined) before = now
      else yield* damage.note(finding)
    })
    yield* Worker.start("database-file", round)
  })
)
