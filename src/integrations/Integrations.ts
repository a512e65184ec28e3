import { Layer } from "effect"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Seeing.ts"
import { Hooks } from "./hooks/Hooks.ts"
import { HooksHttp } from "./hooks/Http.ts"
import { TrackersHttp } from "./trackers/Http.ts"
import { Trackers } from "./trackers/Trackers.ts"

/** The handlers of the integrations. */
export const IntegrationsHttp = Layer.mergeAll(
  HooksHttp.pipe(seeing(Authorization, Hooks)),
  TrackersHttp.pipe(seeing(Authorization, Trackers))
)

/** The services of the integrations. */
export const Integrations = Layer.mergeAll(Hooks.layer, Trackers.layer)
