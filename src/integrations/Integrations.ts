import { Layer } from "effect"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Seeing.ts"
import { Hooks } from "./hooks/Hooks.ts"
import { HooksHttp } from "./hooks/Http.ts"

/** The handlers of the integrations. */
export const IntegrationsHttp = Layer.mergeAll(HooksHttp.pipe(seeing(Authorization, Hooks)))

/** The services of the integrations. */
export const Integrations = Layer.mergeAll(Hooks.layer)
