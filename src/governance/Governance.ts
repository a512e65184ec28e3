import { Layer } from "effect"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Sight.ts"
import type { Retention } from "../storage/Retention.ts"
import { Holders } from "./admission/Holders.ts"
import { AdmissionHttp } from "./admission/Http.ts"
import { KeepLeases } from "./admission/KeepLeases.ts"
import { Reservations } from "./admission/Reservations.ts"
import { reservationRetention } from "./admission/Retention.ts"
import { DispatchQueue } from "./queue/DispatchQueue.ts"
import { QueueHttp } from "./queue/Http.ts"
import { Queue } from "./queue/Queue.ts"
import { entryRetention } from "./queue/Units.ts"

export { Holders } from "./admission/Holders.ts"
export { Dispatch, type Dispatcher } from "./queue/Dispatch.ts"

/** The handlers of governance. */
export const GovernanceHttp = Layer.mergeAll(
  AdmissionHttp.pipe(seeing(Authorization, Reservations)),
  QueueHttp.pipe(seeing(Authorization, Queue))
)

/** The services of governance: who may do what, and whether there is room. */
export const Governance = Layer.mergeAll(Reservations.layer, Queue.layer, KeepLeases, DispatchQueue).pipe(
  Layer.provideMerge(Holders.layer)
)

/** How long governance keeps what ended. */
export const governanceRetentions: ReadonlyArray<Retention> = [reservationRetention, entryRetention]
