import { Schema } from "effect"
import * as Envelope from "./Envelope.ts"

/** What is wrong with a request: the field, and what it should have been. It never repeats what was sent. */
export const Issue = Schema.Struct({ path: Schema.String, message: Schema.String })
export type Issue = typeof Issue.Type

/** The request does not have the form that its route needs. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  issues: Schema.Array(Issue)
}) {}

/** There is no such route, or not with this method. */
export class RouteNotFound extends Schema.TaggedError<RouteNotFound>()("RouteNotFound", {}) {}

/** The fault is the server's. What happened is in its log, under the request id. */
export class InternalError extends Schema.TaggedError<InternalError>()("InternalError", {
  requestId: Schema.String
}) {}

/** Storage can't take the write right now: the disk is full, or too many writes wait for it. */
export class StorageUnavailable extends Schema.TaggedError<StorageUnavailable>()("StorageUnavailable", {
  reason: Schema.String
}) {}

/** The database is damaged: there is nothing to wait for, an operator has to bring a backup back. */
export class StorageDamaged extends Schema.TaggedError<StorageDamaged>()("StorageDamaged", {}) {}

/** What every route may answer. */
export const AnyFailure = Schema.Union(
  Envelope.general(InvalidRequest, {
    status: 400,
    code: "VALIDATION_ERROR",
    message: () => "Validation failed"
  }),
  Envelope.general(RouteNotFound, {
    status: 404,
    code: "NOT_FOUND",
    message: () => "There is no such route; /docs lists those that there are"
  }),
  Envelope.general(InternalError, {
    status: 500,
    code: "INTERNAL_ERROR",
    message: (error) =>
      `Something went wrong on the server; its log tells more under request ${error.requestId}`
  }),
  Envelope.general(StorageUnavailable, {
    status: 503,
    code: "STORAGE_UNAVAILABLE",
    message: (error) => `Nothing was written: ${error.reason}`
  }),
  Envelope.general(StorageDamaged, {
    status: 503,
    code: "STORAGE_DAMAGED",
    message: () =>
      "The database is damaged, and nothing is written into it any more: stop the server and bring a backup back with muster restore FILE"
  })
)
