import { statfs } from "node:fs/promises"
import { Data, Effect } from "effect"

/** A disk has less room than what is to be written takes. */
export class NoRoom extends Data.TaggedError("NoRoom")<{
  readonly directory: string
  readonly neededBytes: number
  readonly freeBytes: number
}> {
  override get message() {
    return `There is no room in ${this.directory}: ${megabytes(this.neededBytes)} are needed, and ${megabytes(this.freeBytes)} are free`
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

/** How many bytes this user may still write in a directory; undefined where the system does not tell. */
const freeBytes = (directory: string): Effect.Effect<number | undefined> =>
  Effect.tryPromise(() => statfs(directory)).pipe(
    // Some network file systems answer with zeros.
    Effect.map(({ bavail, blocks, bsize }) => (blocks === 0 ? undefined : bavail * bsize)),
    Effect.orElseSucceed(() => undefined)
  )

/** Makes sure, before any of it is written, that so many bytes find room in a directory. */
export const requireRoom = (directory: string, neededBytes: number): Effect.Effect<void, NoRoom> =>
  Effect.flatMap(freeBytes(directory), (free) =>
    free === undefined || free >= neededBytes
      ? Effect.void
      : new NoRoom({ directory, neededBytes, freeBytes: free })
  )
