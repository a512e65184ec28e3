import { Data } from "effect"
import { reasonOf } from "../../kernel/FileTrouble.ts"

/** A place that the environment chose can't be worked in. */
export class PlaceUnusable extends Data.TaggedError("PlaceUnusable")<{
  readonly variable: string
  readonly path: string
  readonly reason: string
  readonly remedy: string
}> {
  override get message() {
    return `${this.variable}: can't work with ${this.path}: ${this.reason}. ${this.remedy}`
  }
}

/** What can't be done with a directory. */
export const directoryUnusable =
  (variable: string, path: string) =>
  (error: unknown): PlaceUnusable =>
    new PlaceUnusable({
      variable,
      path,
      reason: reasonOf(error),
      remedy: `Set ${variable} to a directory that this user can write to, on a disk with room; one that is missing is made.`
    })
