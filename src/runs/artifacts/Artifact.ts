import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"

/** The beginning of an output, for whoever decides whether to read on. `bytes` is how long `text` is in UTF-8. */
export const OutputPreview = Schema.Struct({
  schemaVersion: Schema.Literal("run-output-preview/v1"),
  text: Schema.String,
  bytes: Schema.Int,
  /** Whether there is more than this. */
  truncated: Schema.Boolean
}).annotations({ identifier: "OutputPreview" })
export type OutputPreview = typeof OutputPreview.Type

/** What an artifact holds: text as a run wrote it, or the JSON of a payload. */
export const ArtifactMedia = Schema.Literal("text", "json")
export type ArtifactMedia = typeof ArtifactMedia.Type

/**
 * An output of a run that is too long for its event (ruling 63). `originalBytes` is how long it was before secrets were
 * taken out of it, `sizeBytes` how much of it is kept.
 */
export interface Artifact {
  readonly id: string
  readonly taskId: string
  readonly attemptId: string
  readonly runId: string
  readonly media: ArtifactMedia
  readonly originalBytes: number
  readonly sizeBytes: number
  readonly preview: OutputPreview
  /** The blob that holds it. */
  readonly digest: string
}

/** What reading an artifact answers. `content` is there when the query names an operation. */
export const ArtifactReading = Schema.Struct({
  schemaVersion: Schema.Literal("run-output-artifact/v1"),
  id: Schema.String,
  taskId: Schema.String,
  attemptId: Schema.String,
  runId: Schema.String,
  mediaType: Schema.String,
  originalBytes: Schema.Int,
  sizeBytes: Schema.Int,
  preview: OutputPreview,
  content: optional(Schema.Unknown),
  /** Of `json-path`: how many values the path leads to. */
  matches: optional(Schema.Int),
  /** There is more in the range than an answer holds. */
  truncated: optional(Schema.Literal(true))
}).annotations({ identifier: "OutputArtifact" })
export type ArtifactReading = typeof ArtifactReading.Type

/** What an artifact is, by the name that others have for it. */
const mediaTypeOf = (media: ArtifactMedia): string =>
  media === "json" ? "application/json" : "text/plain; charset=utf-8"

/** An artifact as its reading shows it, without content. */
export const describe = ({ digest: _, media, ...artifact }: Artifact): ArtifactReading => ({
  schemaVersion: "run-output-artifact/v1",
  ...artifact,
  mediaType: mediaTypeOf(media)
})

/** How many bytes a preview has at the most. */
const previewLimit = 1_024

/** The beginning of an output, cut between two characters. */
export const previewOf = (output: Buffer): OutputPreview => {
  let end = Math.min(output.length, previewLimit)
  while (end > 0 && end < output.length && isWithinCharacter(output[end])) end -= 1
  return {
    schemaVersion: "run-output-preview/v1",
    text: output.toString("utf8", 0, end),
    bytes: end,
    truncated: end < output.length
  }
}

/** Whether a byte of UTF-8 goes on with a character that began before it. */
const isWithinCharacter = (byte = 0): boolean => (byte & 0xc0) === 0x80
