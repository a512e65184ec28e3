import { Layer } from "effect"
import type { Subscription } from "../storage/events/Subscription.ts"
import type { Retention } from "../storage/Retention.ts"

/** The handlers of runs. */
export const RunsHttp = Layer.empty

/** The services of runs: what agents do, from a start to a result. */
export const Runs = Layer.empty

/** What clients of the live stream can follow of runs. */
export const runsSubscriptions: ReadonlyArray<Subscription> = []

/** How long runs keep what is over. */
export const runsRetentions: ReadonlyArray<Retention> = []
