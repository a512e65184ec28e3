import * as HttpApi from "@effect/platform/HttpApi"
import { HooksApi } from "./hooks/Api.ts"
import { TrackersApi } from "./trackers/Api.ts"

/** The groups of the integrations. */
export const IntegrationsApi = HttpApi.make("muster").add(HooksApi).add(TrackersApi)
