import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApiError from "@effect/platform/HttpApiError"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Cause, Chunk, Effect, Option, Runtime } from "effect"
import { Api } from "../Api.ts"
import {
  AnyFailure,
  InternalError,
  InvalidRequest,
  RouteNotFound,
  StorageDamaged,
  StorageUnavailable
} from "../kernel/Failures.ts"
import { isFull } from "../kernel/FileTrouble.ts"
import { issuesOf } from "../kernel/Issues.ts"
import { StoredUnreadable } from "../kernel/Json.ts"
import { StorageOverloaded } from "../storage/Committer.ts"
import { DatabaseDamaged } from "../storage/place/Damage.ts"
import { SqlDefect } from "../storage/Sql.ts"
import { EdgeRequest } from "./EdgeRequest.ts"
import * as Refusal from "./Refusal.ts"
import { refusalsOf } from "./Refusals.ts"
import { makeNote } from "./RoomDenials.ts"

type Failure = typeof AnyFailure.Type

/** Which of the failures that any route may have this cause stands for; none: it is a route's own error. */
const failureOf = (cause: Cause.Cause<unknown>, requestId: string): Failure | undefined => {
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  if (failure instanceof HttpApiError.HttpApiDecodeError) {
    return new InvalidRequest({ issues: issuesOf(failure.issues) })
  }
  if (failure instanceof HttpServerError.RouteNotFound) return new RouteNotFound()
  if (failure !== undefined) return undefined
  const defect = Option.getOrUndefined(Chunk.head(Cause.defects(cause)))
  if (defect instanceof StorageOverloaded)
    return new StorageUnavailable({ reason: "too many writes are waiting" })
  if (defect instanceof DatabaseDamaged || defect instanceof StoredUnreadable) return new StorageDamaged()
  if (defect instanceof SqlDefect && /^SQLITE_(FULL|IOERR|READONLY|BUSY|CANTOPEN)/.test(defect.code)) {
    return new StorageUnavailable({ reason: reasons[defect.code] ?? "the disk does not take it" })
  }
  if (isFull(defect)) return new StorageUnavailable({ reason: "the disk is full" })
  return defect === undefined ? undefined : new InternalError({ requestId })
}

const reasons: Readonly<Record<string, string>> = {
  SQLITE_FULL: "the disk is full",
  SQLITE_READONLY: "the data directory is read-only",
  SQLITE_BUSY: "another program holds the database"
}

const logged = (cause: Cause.Cause<unknown>, requestId: string): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError("A request failed", cause), { requestId })

/** Answers a cause that a route does not declare, for who answers in the place of the route. */
export type AnswerFailure = (
  cause: Cause.Cause<unknown>,
  requestId: string
) => HttpServerResponse.HttpServerResponse

/** Answers as the layer below does, and logs where this effect does. */
export const makeAnswerFailure: Effect.Effect<AnswerFailure> = Effect.map(
  Effect.runtime<never>(),
  (runtime): AnswerFailure => {
    const runFork = Runtime.runFork(runtime)
    const refusals = refusalsOf(AnyFailure.ast)
    return (cause, requestId) => {
      runFork(logged(cause, requestId))
      const { body, status } = Refusal.internal(requestId)
      return refusals(failureOf(cause, requestId)) ?? HttpServerResponse.unsafeJson(body, { status })
    }
  }
)

/**
 * Renders what no route declares: requests that don't decode, unknown routes, defects. Nothing of a defect leaks. What
 * rooms refuse for want of rights is noted on its way out.
 */
export const layer = HttpApiBuilder.middleware(
  Api,
  Effect.map(
    makeNote,
    (noteDenial) => (app) =>
      Effect.catchAllCause(app, (cause: Cause.Cause<unknown>) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
          const requestId = request instanceof EdgeRequest ? request.requestId : "unknown"
          const failure = failureOf(cause, requestId)
          if (failure === undefined) {
            // The route's own error: the contract's error union encodes it. Its type is unknown here, hence the cast.
            const own = Effect.failCause(cause as Cause.Cause<never>)
            return Effect.zipRight(
              noteDenial(Option.getOrUndefined(Cause.failureOption(cause)), request),
              own
            )
          }
          const answer = Effect.fail<Failure>(failure)
          return failure._tag !== "InvalidRequest" && failure._tag !== "RouteNotFound"
            ? Effect.zipRight(logged(cause, requestId), answer)
            : answer
        })
      )
  )
)
