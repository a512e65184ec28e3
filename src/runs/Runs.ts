import { Layer } from "effect"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Sight.ts"
import type { Subscription } from "../storage/events/Subscription.ts"
import type { Retention } from "../storage/Retention.ts"
import { HostsHttp } from "./hosts/Http.ts"
import { RuntimeManifests } from "./hosts/RuntimeManifests.ts"
import { AgentRegistry } from "./registry/AgentRegistry.ts"
import { RegistryHttp } from "./registry/Http.ts"

/** The handlers of runs. */
export const RunsHttp = Layer.mergeAll(
  HostsHttp.pipe(seeing(Authorization, RuntimeManifests)),
  RegistryHttp.pipe(seeing(Authorization, AgentRegistry))
)

export { manifestDigests } from "./hosts/Units.ts"
export { HeartbeatTimeout } from "./registry/HeartbeatTimeout.ts"

/** The services of runs: what agents do, from a start to a result. */
export const Runs = Layer.mergeAll(AgentRegistry.layer, RuntimeManifests.layer)

/** What clients of the live stream can follow of runs. */
export const runsSubscriptions: ReadonlyArray<Subscription> = []

/** How long runs keep what is over. */
export const runsRetentions: ReadonlyArray<Retention> = []
