import { Data } from "effect"

/** There is more of it than may be kept. */
export class BlobTooLarge extends Data.TaggedError("BlobTooLarge")<{ readonly limitBytes: number }> {}

/** A file could not be written, as when the disk is full. Nothing of it is left. */
export class BlobNotWritten extends Data.TaggedError("BlobNotWritten")<{ readonly reason: string }> {
  override get message() {
    return `A blob can't be written: ${this.reason}`
  }
}

/** What is wrong with a blob: its file is gone, holds something else, or can't be read. */
export type Finding = "missing" | "changed" | "unreadable"

/** A blob is not what was put there. */
export class BlobDamaged extends Data.TaggedError("BlobDamaged")<{
  readonly digest: string
  readonly finding: Finding
}> {}
