import type { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Health } from "./Health.ts"
import type { SendRequest, Sent } from "./Send.ts"

/** What each kind of adapter does in its own way. */
export interface Kind<Configured> {
  /** What is known of the adapter. A relay that was never looked at is probed. */
  readonly health: (adapter: Configured) => Effect.Effect<Health>
  /** Looks anew. Nothing is sent. */
  readonly test: (adapter: Configured) => Effect.Effect<Health>
  readonly send: (adapter: Configured, request: SendRequest, by: ActorContext) => Effect.Effect<Sent>
}
