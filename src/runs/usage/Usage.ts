import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { integer, nonBlank } from "../../kernel/Text.ts"

const tokens = integer(0, Number.MAX_SAFE_INTEGER)
const Cost = Schema.Number.pipe(
  Schema.filter((value) => value >= 0 && value <= Number.MAX_SAFE_INTEGER, {
    message: () => `Expected a number from 0 to ${Number.MAX_SAFE_INTEGER}`,
    jsonSchema: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
  })
).annotations({ description: "In US dollars, as the provider counts it" })

/**
 * What a provider reports that a run has used since its last report (ruling 81). The four buckets never overlap:
 * `inputTokens` are those that were not read from a cache. `cacheTokens` is the sum of the two of the cache; alone it
 * counts as reads.
 */
export const UsageReport = Schema.Struct({
  model: optional(nonBlank(200)),
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: optional(tokens),
  cacheWriteTokens: optional(tokens),
  cacheTokens: optional(tokens),
  cost: optional(Cost)
})
  .pipe(
    Schema.filter(({ cacheReadTokens, cacheTokens, cacheWriteTokens }) => {
      const named = cacheReadTokens !== undefined || cacheWriteTokens !== undefined
      const sum = (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0)
      return cacheTokens === undefined || !named || cacheTokens === sum
        ? undefined
        : { path: ["cacheTokens"], message: "Expected the sum of cacheReadTokens and cacheWriteTokens" }
    })
  )
  .annotations({ identifier: "UsageReport" })
export type UsageReport = typeof UsageReport.Type

/** What was used of one model, in four buckets that never overlap. */
export const Usage = Schema.Struct({
  model: Schema.NullOr(Schema.String),
  inputTokens: Schema.Int,
  outputTokens: Schema.Int,
  cacheReadTokens: Schema.Int,
  cacheWriteTokens: Schema.Int,
  cost: Schema.NullOr(Schema.Number)
}).annotations({ identifier: "AttemptUsage" })
export type Usage = typeof Usage.Type

/** A report in its four buckets. */
export const bucketsOf = ({
  cacheReadTokens,
  cacheTokens,
  cacheWriteTokens,
  cost,
  inputTokens,
  model,
  outputTokens
}: UsageReport): Usage => ({
  model: model ?? null,
  inputTokens,
  outputTokens,
  cacheReadTokens: cacheReadTokens ?? (cacheWriteTokens === undefined ? (cacheTokens ?? 0) : 0),
  cacheWriteTokens: cacheWriteTokens ?? 0,
  cost: cost ?? null
})
