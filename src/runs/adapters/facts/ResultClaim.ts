import { Schema } from "effect"
import { CompletionStatus } from "../../documents/Policies.ts"

/**
 * What a `result` line claims. `status` and `summary` have been looked at; the other members of the line stand in
 * `members` as they came, for whoever completes the attempt to read by the rules of a completion (ruling 55).
 */
export interface ResultClaim {
  readonly status: CompletionStatus
  readonly summary?: string
  readonly members: Readonly<Record<string, unknown>>
}

const isStatus = Schema.is(CompletionStatus)

/**
 * The claim of a `result` line without its type; undefined for one that is not well-formed: `status`, `success` and
 * `summary` have strict types, one of the first two is there, and they don't contradict each other.
 */
export const resultClaim = (payload: Readonly<Record<string, unknown>>): ResultClaim | undefined => {
  const { status, success, summary, ...members } = payload
  if (status !== undefined && !isStatus(status)) return undefined
  if (success !== undefined && typeof success !== "boolean") return undefined
  if (summary !== undefined && typeof summary !== "string") return undefined
  const claimed = status ?? (success === undefined ? undefined : success ? "success" : "failed")
  if (claimed === undefined) return undefined
  if (success !== undefined && success !== (claimed === "success")) return undefined
  return { status: claimed, ...(summary === undefined ? {} : { summary }), members }
}
