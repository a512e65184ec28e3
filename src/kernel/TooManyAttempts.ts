import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, Schema } from "effect"
import * as Envelope from "./Envelope.ts"

/** The caller has tried too often and must wait. */
export class TooManyAttempts extends Schema.TaggedError<TooManyAttempts>()("TooManyAttempts", {
  retryAfterSeconds: Schema.Int
}) {}

export const TooManyAttemptsWire = Envelope.general(TooManyAttempts, {
  status: 429,
  code: "RATE_LIMITED",
  message: (error) => `Too many attempts: try again in ${error.retryAfterSeconds} seconds`
})

const encode = Schema.encodeSync(TooManyAttemptsWire)

/** Answers `TooManyAttempts` with a `Retry-After` header, which an envelope alone can't carry. */
export const withRetryAfter = <A, E, R>(
  work: Effect.Effect<A, E | TooManyAttempts, R>
): Effect.Effect<A | HttpServerResponse.HttpServerResponse, Exclude<E, TooManyAttempts>, R> =>
  Effect.catchIf(
    work,
    (error): error is TooManyAttempts => error instanceof TooManyAttempts,
    (error) =>
      Effect.succeed(
        HttpServerResponse.unsafeJson(encode(error), {
          status: 429,
          headers: { "retry-after": String(error.retryAfterSeconds) }
        })
      )
  )
