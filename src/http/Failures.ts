import { HttpApiBuilder, HttpApiError, HttpServerError, HttpServerRequest } from "@effect/platform"
import { Cause, Chunk, Effect, Option } from "effect"
import { Api } from "../Api.ts"
import {
  type AnyFailure,
  InternalError,
  InvalidRequest,
  type Issue,
  RouteNotFound,
  StorageUnavailable
} from "../kernel/Failures.ts"
import { StorageOverloaded } from "../storage/Committer.ts"
import { SqlDefect } from "../storage/Sql.ts"
import { EdgeRequest } from "./EdgeRequest.ts"

/** The most issues that an answer lists. */
const issueLimit = 50

interface RawIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/**
 * What is wrong with a request, a line for each field. The decoder reports a union's members one by one and quotes the
 * input; here they are gathered by field and the input is left out. Where the parts of a field are at fault, the
 * field itself is not named.
 */
export const issuesOf = (raw: ReadonlyArray<RawIssue>): ReadonlyArray<Issue> => {
  const byPath = new Map<string, Set<string>>()
  for (const { message, path } of raw) {
    const key = pathOf(path)
    const messages = byPath.get(key) ?? new Set()
    messages.add(withoutInput(message))
    byPath.set(key, messages)
  }
  // A field that may be null reports `Expected null` beside the faults of what was sent in its place.
  const explained = new Set(
    raw.flatMap(({ path }) => path.slice(1).map((_, index) => pathOf(path.slice(0, index + 1))))
  )
  return [...byPath]
    .filter(([path]) => !explained.has(path))
    .slice(0, issueLimit)
    .map(([path, messages]) => ({ path: path.slice(0, 200), message: joined([...messages]).slice(0, 300) }))
}

const pathOf = (path: RawIssue["path"]): string => path.map(String).join(".")

const withoutInput = (message: string): string => message.replace(/, actual [\s\S]*$/, "")

/** `Expected "a"`, `Expected "b"` reads as one expectation. */
const joined = (messages: ReadonlyArray<string>): string => {
  const expectations = messages.filter((message) => message.startsWith("Expected "))
  return expectations.length < 2
    ? messages.join("; ")
    : `Expected ${expectations.map((message) => message.slice("Expected ".length)).join(" or ")}`
}

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
  if (defect instanceof SqlDefect && /^SQLITE_(FULL|IOERR|READONLY|BUSY|CANTOPEN)/.test(defect.code)) {
    return new StorageUnavailable({ reason: reasons[defect.code] ?? "the disk does not take it" })
  }
  return defect === undefined ? undefined : new InternalError({ requestId })
}

const reasons: Readonly<Record<string, string>> = {
  SQLITE_FULL: "the disk is full",
  SQLITE_READONLY: "the data directory is read-only",
  SQLITE_BUSY: "another program holds the database"
}

/** Renders what no route declares: requests that don't decode, unknown routes, defects. Nothing of a defect leaks. */
export const layer = HttpApiBuilder.middleware(Api, (app) =>
  Effect.catchAllCause(app, (cause: Cause.Cause<unknown>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const requestId = request instanceof EdgeRequest ? request.requestId : "unknown"
      const failure = failureOf(cause, requestId)
      // The route's own error: the contract's error union encodes it. Its type is unknown here, hence the cast.
      if (failure === undefined) return Effect.failCause(cause as Cause.Cause<never>)
      const answer = Effect.fail<Failure>(failure)
      return failure._tag === "InternalError" || failure._tag === "StorageUnavailable"
        ? Effect.zipRight(
            Effect.annotateLogs(Effect.logError("A request failed", cause), { requestId }),
            answer
          )
        : answer
    })
  )
)
