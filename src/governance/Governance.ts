import { Layer } from "effect"
import type { Retention } from "../storage/Retention.ts"

/** The handlers of governance. */
export const GovernanceHttp = Layer.empty

/** The services of governance: who may do what, and whether there is room. */
export const Governance = Layer.empty

/** How long governance keeps what ended. */
export const governanceRetentions: ReadonlyArray<Retention> = []
