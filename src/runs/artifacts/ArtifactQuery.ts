import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { soughtFor } from "../../kernel/Incoming.ts"
import { integerText, nonBlank } from "../../kernel/Text.ts"

/** Where an artifact belongs: both are asked for, so that nobody reads another run's output by its id alone. */
const bound = {
  runId: IdParam.annotations({ description: "The run that the artifact is of" }),
  attemptId: IdParam.annotations({ description: "The attempt that the artifact is of" })
}

const Offset = integerText(0, Number.MAX_SAFE_INTEGER)

/** The most bytes that an answer in JSON holds of an artifact. */
export const contentLimit = 1_048_576

/** The query of a reading. */
export const ArtifactQuery = Schema.Struct({
  ...bound,
  operation: Schema.optional(Schema.Literal("byte-range", "line-range", "json-path")),
  offset: Schema.optional(Offset.annotations({ description: "The first byte of a byte-range, from 0" })),
  length: Schema.optional(
    integerText(1, contentLimit).annotations({ description: "How many bytes a byte-range has at the most" })
  ),
  startLine: Schema.optional(
    integerText(1, Number.MAX_SAFE_INTEGER).annotations({
      description: "The first line of a line-range, from 1"
    })
  ),
  lineCount: Schema.optional(
    integerText(1, 10_000).annotations({ description: "How many lines a line-range has, 100 when absent" })
  ),
  jsonPath: Schema.optional(
    nonBlank(1_000, soughtFor).annotations({ description: "The JSONPath of a json-path" })
  )
}).pipe(
  Schema.filter(({ jsonPath, operation }) =>
    operation === "json-path" && jsonPath === undefined
      ? { path: ["jsonPath"], message: "Expected a JSONPath for the operation json-path" }
      : undefined
  )
)
export type ArtifactQuery = typeof ArtifactQuery.Type

/** How many bytes a download has without a length. */
export const downloadLength = 4_194_304

/** The query of a download. */
export const DownloadQuery = Schema.Struct({
  ...bound,
  offset: Schema.optional(Offset.annotations({ description: "The first byte, from 0" })),
  length: Schema.optional(
    integerText(1, Number.MAX_SAFE_INTEGER).annotations({
      description: `How many bytes at the most, ${downloadLength} when absent`
    })
  )
})
export type DownloadQuery = typeof DownloadQuery.Type
