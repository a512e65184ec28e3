import { Context, type Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { AdmissionRequest, LaunchSource } from "../capacity/AdmissionRequest.ts"
import type { Outcome } from "./Entry.ts"

/** A launch that waited, and that has capacity by now. */
export interface Claimed {
  readonly queueId: string
  readonly reservationId: string
  readonly request: AdmissionRequest
  /** Who asked for it, with what they may still do: a revoked key and an ended membership leave nothing. */
  readonly by: ActorContext
}

/** What came of a dispatch: it begins, or it can't, and never will. */
export type Dispatched = { readonly _tag: "Begun" } | { readonly _tag: "Cannot" }

/** A launch that waited and will not start. */
export interface Withdrawn {
  readonly queueId: string
  readonly request: AdmissionRequest
  readonly outcome: Outcome
  /** Who ended it: somebody who cancelled it, or the service itself. */
  readonly by: ActorContext
}

/** How launches of some sources begin that had to wait. */
export interface Dispatcher {
  readonly sources: ReadonlyArray<LaunchSource>
  /**
   * Begins a launch, inside the unit that marks its entry dispatched: both are so, or neither. It marks its attempt as
   * one that begins and rings whoever starts processes. It is asked again under the same attempt when it broke.
   */
  readonly dispatch: (claimed: Claimed) => Effect.Effect<Dispatched, never, Sql>
  /** Ends the attempt of a launch that will not start, inside the unit that ends its entry. */
  readonly withdraw: (withdrawn: Withdrawn) => Effect.Effect<void, never, Sql>
}

/** Everybody who dispatches. Entries of a source that nobody dispatches wait. */
export class Dispatch extends Context.Tag("muster/Dispatch")<Dispatch, ReadonlyArray<Dispatcher>>() {}
