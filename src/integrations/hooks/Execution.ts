import { Effect, Random, Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { HookEvent } from "./definitions/Hook.ts"

/**
 * The state of a delivery: `queued` before its first attempt, `retrying` between attempts, then `success`, `failed`
 * when the target refused it or the attempts ran out, or `dropped` when it was never sent.
 */
export const ExecutionStatus = Schema.Literal(
  "queued",
  "retrying",
  "success",
  "failed",
  "dropped"
).annotations({
  identifier: "HookExecutionStatus"
})
export type ExecutionStatus = typeof ExecutionStatus.Type

/** The delivery of one event to one hook. `error` is a code and holds nothing of what was sent or answered. */
export const Execution = Schema.Struct({
  id: Schema.String,
  hookId: Schema.String,
  event: HookEvent,
  status: ExecutionStatus,
  attempts: Schema.Int,
  statusCode: optional(Schema.Int),
  error: optional(Schema.String),
  durationMs: Schema.Int.annotations({ description: "How long the last attempt took" }),
  createdAt: Timestamp,
  startedAt: Timestamp.annotations({
    description: "When the last attempt began; before the first, when it was queued"
  }),
  nextAttemptAt: optional(Timestamp)
}).annotations({ identifier: "HookExecution" })
export type Execution = typeof Execution.Type

/** How many attempts a delivery has, over about two hours. */
export const attemptLimit = 8

const shortestPause = 5_000
const longestPause = 3_600_000

/** What came of an attempt. One that is `PutOff` was never sent, and does not count. */
export type Outcome =
  | { readonly _tag: "PutOff"; readonly error: string; readonly retryAfterMs: number }
  | { readonly _tag: "Success"; readonly statusCode: number }
  | { readonly _tag: "Final"; readonly statusCode?: number; readonly error: string }
  | {
      readonly _tag: "Again"
      readonly statusCode?: number
      readonly error: string
      readonly retryAfterMs?: number
    }

/** The outcome that a target's answer means. Redirects are not followed: they count as a wrong URL. */
export const outcomeOf = (status: number, retryAfter: string | undefined): Outcome => {
  if (status >= 200 && status < 300) return { _tag: "Success", statusCode: status }
  const error = `status-${status}`
  if (status < 500 && status !== 408 && status !== 425 && status !== 429)
    return { _tag: "Final", statusCode: status, error }
  const seconds = retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
  return {
    _tag: "Again",
    statusCode: status,
    error,
    ...(seconds === undefined ? {} : { retryAfterMs: Math.min(seconds * 1_000, longestPause) })
  }
}

/**
 * How long to wait after so many attempts, in milliseconds: five seconds, four times as long each time, up to an hour,
 * with jitter so that many deliveries don't come back at once.
 */
export const pauseAfter = (attempts: number, retryAfterMs: number | undefined): Effect.Effect<number> =>
  Effect.map(Random.nextRange(0.8, 1.2), (chance) =>
    Math.round(
      Math.max(
        retryAfterMs ?? 0,
        Math.min(longestPause, shortestPause * 4 ** Math.min(attempts - 1, 10)) * chance
      )
    )
  )
