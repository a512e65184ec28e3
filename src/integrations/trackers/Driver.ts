import { Context, Data, type Effect, type Option, type Redacted } from "effect"
import type { TrackerPayload } from "./profiles/Payload.ts"
import type { TrackerProvider } from "./profiles/Provider.ts"
import type { TrackerContent } from "./profiles/TrackerSchema.ts"

/** The one project of a tracker that a call is about, and the way there. */
export interface Access {
  readonly baseUrl: string
  readonly project: string
  readonly credential: Option.Option<Redacted.Redacted>
}

/** An item of a tracker. With its repository and number it is an identity of the board (README, ruling 10). */
export interface ExternalItem {
  readonly id: string
  readonly key: string
  readonly repository: string
  readonly number: number
  readonly url?: string
}

/** A create: what to make, and the marker by which it is found again. */
export interface CreateCall {
  readonly payload: TrackerPayload
  readonly marker: string
}

/** What can go wrong with a call. `reason` is a code and holds nothing that the tracker or a task said. */
export class CallFailed extends Data.TaggedError("CallFailed")<{
  readonly reason: string
  readonly retryable: boolean
  readonly retryAfterMs?: number
  /** Whether the tracker may have done what it was asked: then nobody knows whether the item is there. */
  readonly mayHaveArrived: boolean
}> {}

/**
 * A kind of tracker. A driver makes requests and translates; what is written down about them, and what happens when
 * they end badly, is the same for all.
 */
export interface TrackerDriver {
  readonly provider: TrackerProvider
  readonly introspect: (access: Access) => Effect.Effect<TrackerContent, CallFailed>
  readonly create: (access: Access, call: CreateCall) => Effect.Effect<ExternalItem, CallFailed>
  /** Looks for the item that a create with this marker made, if it was sent after `since` (milliseconds). */
  readonly find: (
    access: Access,
    marker: string,
    since: number
  ) => Effect.Effect<ExternalItem | undefined, CallFailed>
}

/** The kinds of trackers that there are, each with its driver. */
export class TrackerDrivers extends Context.Tag("muster/TrackerDrivers")<
  TrackerDrivers,
  Readonly<Record<TrackerProvider, TrackerDriver>>
>() {}

/** How long one request to a tracker may take, in milliseconds: ten seconds, unless a test is less patient. */
export class RequestPatience extends Context.Reference<RequestPatience>()("muster/TrackerRequestPatience", {
  defaultValue: () => 10_000
}) {}
