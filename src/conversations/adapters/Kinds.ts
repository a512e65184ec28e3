import { Context, type Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Issue } from "../../kernel/Failures.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Reconciled } from "../deliveries/Reconciled.ts"
import type { SendRequest, Sent } from "../deliveries/Send.ts"
import type { Adapter, AdapterBody, AdapterKind } from "./Adapter.ts"
import type { Health } from "./Health.ts"

/** What a PUT leads to. */
export interface Configured<Own> {
  readonly adapter: Own
  /** The fields of the body that only an administrator may set. */
  readonly administrative: ReadonlyArray<string>
  /** What is wrong with the secrets that it names, which is told to nobody who may not name them. */
  readonly issues: ReadonlyArray<Issue>
  /** Stores the secrets that the body enters, beside the adapter. */
  readonly keepSecrets: Effect.Effect<void, never, Sql>
}

/** The rest of a PUT, in the unit that stores it: it fails with all that is wrong with the body. */
export type Configure<Own> = (
  before: Own | undefined,
  at: string
) => Effect.Effect<Configured<Own>, ReadonlyArray<Issue>, Sql>

/** What the adapters of one kind do in their own way. */
export interface Kind<Own extends Adapter, Body extends AdapterBody> {
  readonly owns: (adapter: Adapter) => adapter is Own
  /** The adapter without what may be a secret in an address. */
  readonly shown: (adapter: Own) => Own
  /** Begins a PUT with what a unit can't wait for: the secrets that somebody may enter are sealed. */
  readonly configure: (id: string, body: Body, by: ActorContext) => Effect.Effect<Configure<Own>>
  /** Wakes what runs for the adapter: its configuration is stored. */
  readonly changed: (id: string) => Effect.Effect<void>
  /** How many messages are on their way through the adapter. */
  readonly openDeliveries: (id: string) => Effect.Effect<number, never, Sql>
  /** Forgets all that is known beside the adapter itself. What was said stays. */
  readonly forget: (id: string) => Effect.Effect<void, never, Sql>
  /** What is known of the adapter. A relay that was never looked at is probed. */
  readonly health: (adapter: Own) => Effect.Effect<Health>
  /** Looks anew. Nothing is sent. */
  readonly test: (adapter: Own) => Effect.Effect<Health>
  readonly send: (adapter: Own, request: SendRequest, by: ActorContext) => Effect.Effect<Sent>
  /** Settles what may or may not have arrived; undefined where nobody can be asked. */
  readonly poll: ((adapter: Own) => Effect.Effect<Reconciled>) | undefined
}

/** Every kind that an adapter can have. */
export type Kinds = {
  readonly [Name in AdapterKind]: Kind<
    Extract<Adapter, { readonly kind: Name }>,
    Extract<AdapterBody, { readonly kind: Name }>
  >
}

/** What adapters ask of the rooms that know how each kind is spoken to. */
export class AdapterKinds extends Context.Tag("muster/AdapterKinds")<AdapterKinds, Kinds>() {}

/** Does something with an adapter in the way of its kind. */
export const withKind = <Result>(
  kinds: Kinds,
  adapter: Adapter,
  use: <Own extends Adapter, Body extends AdapterBody>(kind: Kind<Own, Body>, own: Own) => Result
): Result => {
  switch (adapter.kind) {
    case "relay":
      return use(kinds.relay, adapter)
    case "teamchat":
      return use(kinds.teamchat, adapter)
  }
}

/** Does something with the body of a PUT in the way of the kind that it names. */
export const withKindNamed = <Result>(
  kinds: Kinds,
  body: AdapterBody,
  use: <Own extends Adapter, Body extends AdapterBody>(kind: Kind<Own, Body>, own: Body) => Result
): Result => {
  switch (body.kind) {
    case "relay":
      return use(kinds.relay, body)
    case "teamchat":
      return use(kinds.teamchat, body)
  }
}
