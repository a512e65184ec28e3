import { Layer } from "effect"
import type { Subscription } from "../storage/events/Subscription.ts"
import type { Retention } from "../storage/Retention.ts"
import { CommandAdapter } from "./adapters/CommandAdapter.ts"
import { Processes } from "./processes/Processes.ts"

/** The handlers of runs. */
export const RunsHttp = Layer.empty

/** The services of runs: what agents do, from a start to a result. */
export const Runs = CommandAdapter.layer.pipe(
  // Nothing starts before what a server that died left behind has ended.
  Layer.provideMerge(Processes.layer)
)

/** What clients of the live stream can follow of runs. */
export const runsSubscriptions: ReadonlyArray<Subscription> = []

/** How long runs keep what is over. */
export const runsRetentions: ReadonlyArray<Retention> = []
