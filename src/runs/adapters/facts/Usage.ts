import { Option, Schema } from "effect"
import { UsageReport } from "../../usage/Usage.ts"

/**
 * What a model was used for, in four buckets that never overlap (ruling 81): tokens of input that were read afresh, that
 * came out of a cache, that went into one, and tokens of output.
 */
export interface Usage {
  readonly model?: string
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly outputTokens: number
  /** What the provider says that it costs, in dollars. */
  readonly cost?: number
}

export const noUsage: Usage = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }

const buckets = ["inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens"] as const

/** More tokens than anybody uses in one run: sums of such counts stay whole numbers. */
const largestCount = 1e12

/** A count as a provider sends it; anything that is no whole number from 0, or an absurd one, counts as none. */
export const countOf = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value <= largestCount ? value : 0

/** A price as a provider sends it. */
export const costOf = (value: unknown): { readonly cost?: number } =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? { cost: value } : {}

export const plus = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
  cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  outputTokens: one.outputTokens + other.outputTokens
})

/** What is in one and not yet in the other, of each bucket; never less than nothing. */
export const minus = (one: Usage, other: Usage): Usage => ({
  ...one,
  inputTokens: Math.max(0, one.inputTokens - other.inputTokens),
  cacheReadTokens: Math.max(0, one.cacheReadTokens - other.cacheReadTokens),
  cacheWriteTokens: Math.max(0, one.cacheWriteTokens - other.cacheWriteTokens),
  outputTokens: Math.max(0, one.outputTokens - other.outputTokens)
})

/** Whether anything of one is more than in the other: what counts up never goes back. */
export const isLess = (one: Usage, other: Usage): boolean =>
  buckets.some((bucket) => one[bucket] < other[bucket])

export const isNothing = (usage: Usage): boolean =>
  usage.cost === undefined && buckets.every((bucket) => usage[bucket] === 0)

/** The payload of a `tokens` fact. */
export const tokensPayload = (usage: Usage): Readonly<Record<string, unknown>> => ({
  ...(usage.model === undefined ? {} : { model: usage.model }),
  inputTokens: usage.inputTokens,
  outputTokens: usage.outputTokens,
  cacheReadTokens: usage.cacheReadTokens,
  cacheWriteTokens: usage.cacheWriteTokens,
  cacheTokens: usage.cacheReadTokens + usage.cacheWriteTokens,
  ...(usage.cost === undefined ? {} : { cost: usage.cost })
})

const decode = Schema.decodeUnknownOption(UsageReport)

/** Whether a `tokens` line is well-formed, by the rules of any report: one that is not is text, and counts for nothing. */
export const isUsage = (payload: unknown): boolean => Option.isSome(decode(payload))
