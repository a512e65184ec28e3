import { Context, Data, type Effect, type Scope } from "effect"
import type { Allowance } from "../../kernel/outbound/Address.ts"
import type { Identity } from "./Identity.ts"
import type { Filter, NostrEvent } from "./NostrEvent.ts"
import type { OwnerAttestation } from "./OwnerAttestation.ts"
import type { Reason } from "./Reason.ts"

/** Where a relay is, and how far outside of the public internet it may lie. */
export interface Endpoint {
  /** The HTTP address without a slash at its end. */
  readonly http: string
  /** The same place over WebSocket. */
  readonly webSocket: string
  readonly allow: Allowance
}

/** An endpoint, and who speaks there. */
export interface Connection extends Endpoint {
  readonly identity: Identity
  readonly attestation: OwnerAttestation | undefined
}

/** The relay could not be asked, or did not answer as it should. No text of the relay's own stands in it. */
export class RelayFailure extends Data.TaggedError("RelayFailure")<{
  readonly reason: Reason
  readonly status?: number
  /** How long the relay wants to be left alone. */
  readonly retryAfterMs?: number
  /** How far its clock is ahead of ours, when it said so. */
  readonly skewSeconds?: number
}> {}

/** What a relay says about itself (NIP-11), as far as it is asked for. What it does not say is undefined. */
export interface RelayInfo {
  readonly name: string | undefined
  readonly software: string | undefined
  readonly version: string | undefined
  readonly commit: string | undefined
  readonly community: string | undefined
  readonly nips: ReadonlyArray<number> | undefined
  readonly self: string | undefined
  readonly authRequired: boolean | undefined
  /** How far its clock is ahead of ours, by the date of its answer. */
  readonly skewSeconds: number | undefined
}

/** What came of an event that was handed to a relay (spec README, rulings 18 and 113). */
export type Submission =
  | { readonly _tag: "Accepted"; readonly duplicate: boolean }
  /** It said no, for good. `detail` is a bounded, redacted sentence. */
  | { readonly _tag: "Refused"; readonly reason: Reason; readonly detail?: string }
  /** Nothing was written; it may be tried again. */
  | { readonly _tag: "Postponed"; readonly reason: Reason; readonly retryAfterMs?: number }
  /** It may or may not have arrived. `sent` is false when there was nobody to send it to. */
  | { readonly _tag: "Unknown"; readonly reason: Reason; readonly sent?: false }

/** What is heard on a socket. Events are as they came, unchecked. */
export type Heard =
  | { readonly _tag: "Event"; readonly subscription: string; readonly event: unknown }
  | { readonly _tag: "EndOfStored"; readonly subscription: string }
  | { readonly _tag: "Closed"; readonly subscription: string; readonly failure: RelayFailure }
  /** So much came at once that some of it was dropped. */
  | { readonly _tag: "Overflowed" }

/** An authenticated socket. */
export interface Session {
  /** The next thing that the relay says; it fails when the socket is lost. */
  readonly next: Effect.Effect<Heard, RelayFailure>
  readonly subscribe: (subscription: string, filter: Filter) => Effect.Effect<void>
  readonly unsubscribe: (subscription: string) => Effect.Effect<void>
}

/** A relay, however it is spoken to. */
export interface RelayClientService {
  /** What the relay says about itself. It needs no identity. */
  readonly info: (endpoint: Endpoint) => Effect.Effect<RelayInfo, RelayFailure>
  /** Stored events of one filter as they came, unchecked, newest first; `filter.limit` is the relay's to lower. */
  readonly query: (
    connection: Connection,
    filter: Filter
  ) => Effect.Effect<ReadonlyArray<unknown>, RelayFailure>
  /** Hands over a signed event. */
  readonly submit: (connection: Connection, event: NostrEvent) => Effect.Effect<Submission>
  /** A socket that has authenticated; it closes with the scope. */
  readonly open: (connection: Connection) => Effect.Effect<Session, RelayFailure, Scope.Scope>
}

export class RelayClient extends Context.Tag("muster/RelayClient")<RelayClient, RelayClientService>() {}
