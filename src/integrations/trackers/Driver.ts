import { Context, Data, type Effect, type Option, type Redacted, Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import type { TrackerPayload } from "./profiles/Payload.ts"
import type { TrackerProvider } from "./profiles/Provider.ts"
import type { TrackerContent } from "./profiles/TrackerSchema.ts"

/** The project that a call is about, and how it is reached. */
export interface Access {
  readonly baseUrl: string
  readonly project: string
  readonly credential: Option.Option<Redacted.Redacted>
}

/** An item of a tracker. With its repository and number it is an identity of the board (README, ruling 10). */
export const ExternalItem = Schema.Struct({
  id: Schema.String,
  key: Schema.String,
  repository: Schema.String,
  number: Schema.Number,
  url: optional(Schema.String)
})
export type ExternalItem = typeof ExternalItem.Type

/** An item to make, and the marker by which it is found again. */
export interface CreateCall {
  readonly payload: TrackerPayload
  readonly marker: string
}

/** A call failed. `reason` is a code and holds no text of the tracker or of a task. */
export class CallFailed extends Data.TaggedError("CallFailed")<{
  readonly reason: string
  readonly retryable: boolean
  readonly retryAfterMs?: number
  /** True when the tracker may have done it all the same: then nobody knows whether the item exists. */
  readonly mayHaveArrived: boolean
}> {}

/**
 * A kind of tracker. A driver only makes requests and translates; recording them and recovering from failures is the
 * same for all kinds.
 */
export interface TrackerDriver {
  readonly provider: TrackerProvider
  readonly introspect: (access: Access) => Effect.Effect<TrackerContent, CallFailed>
  readonly create: (access: Access, call: CreateCall) => Effect.Effect<ExternalItem, CallFailed>
  /**
   * Looks for the item that a create with this marker made, sent at or after `since` (milliseconds since the epoch).
   */
  readonly find: (
    access: Access,
    marker: string,
    since: number
  ) => Effect.Effect<ExternalItem | undefined, CallFailed>
}

/** The driver of each kind of tracker. */
export class TrackerDrivers extends Context.Tag("muster/TrackerDrivers")<
  TrackerDrivers,
  Readonly<Record<TrackerProvider, TrackerDriver>>
>() {}

/** How long one request to a tracker may take, in milliseconds: ten seconds, less in tests. */
export class RequestPatience extends Context.Reference<RequestPatience>()("muster/TrackerRequestPatience", {
  defaultValue: () => 10_000
}) {}
