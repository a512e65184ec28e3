import { Effect, Ref } from "effect"
import type { Reason } from "../wire/Reason.ts"

/** What a bridge is doing now. Times are milliseconds since the epoch. */
export interface RuntimeState {
  readonly transport: {
    readonly state: "disconnected" | "connecting" | "authenticated"
    readonly reason: Reason
    readonly connectedAt: number | null
    readonly reconnects: number
    readonly nextAttemptAt: number | null
    readonly skewSeconds: number | null
  }
  readonly subscription: {
    readonly state: "inactive" | "connecting" | "active"
    readonly channelId: string | null
    readonly reason: Reason
    readonly lastEventAt: number | null
  }
  readonly catchingUp: boolean
  readonly historyGap: boolean
  readonly rejected: number
}

/** A bridge that does nothing, for a reason. */
export const idle = (reason: Reason): RuntimeState => ({
  transport: {
    state: "disconnected",
    reason,
    connectedAt: null,
    reconnects: 0,
    nextAttemptAt: null,
    skewSeconds: null
  },
  subscription: { state: "inactive", channelId: null, reason, lastEventAt: null },
  catchingUp: false,
  historyGap: false,
  rejected: 0
})

/** The state of one bridge, which its fibers change and health reads. */
export type State = Ref.Ref<RuntimeState>

/** Changes what is said of the connection. */
export const setTransport = (state: State, change: Partial<RuntimeState["transport"]>): Effect.Effect<void> =>
  Ref.update(state, (before) => ({ ...before, transport: { ...before.transport, ...change } }))

/** Changes what is said of the subscription. */
export const setSubscription = (
  state: State,
  change: Partial<RuntimeState["subscription"]>
): Effect.Effect<void> =>
  Ref.update(state, (before) => ({ ...before, subscription: { ...before.subscription, ...change } }))

/** Counts what a relay sent that is no event, or not what it claims. */
export const countRejected = (state: State, more: number): Effect.Effect<void> =>
  more === 0 ? Effect.void : Ref.update(state, (before) => ({ ...before, rejected: before.rejected + more }))
